import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { DEPOSITOR_COUNT, depositor } from "../../devnet/src/accounts.ts";
import { api, connect, expectConnected } from "./support/app";
import { chain } from "./support/chain";
import { as, reportNow, requestAll, returnMoney } from "./support/invest";
import { overflow } from "./support/pages";
import { expect, test } from "./support/test";

const shortId = "alps-hydro";
/** All who could request have requested after a try, so a second try needs a product of its own. */
const productOf = (retry: number) => (retry === 0 ? shortId : "aegean-water");
const [wide, phone] = [
  { width: 1440, height: 900 },
  { width: 360, height: 780 },
];
test.use({ viewport: wide });

interface Vault {
  contract: Hex;
  asset: { address: Hex };
  vault: { queue: { address: Hex } };
}

/**
 * Covers the waiting requests by a report, lets the custodian return all money, and processes the queue as far as that
 * suffices. A covered request is payable when the report's income has been streamed, which takes a day. A mistaken loss
 * leaves nothing to stream, so the request is payable at once; the loss is then taken back.
 */
async function serve(product: Vault) {
  const { contract, vault } = product;
  const at = { address: contract, abi: demandVaultAbi } as const;
  const loss = (await chain.readContract({ ...at, functionName: "totalAssets" })) / 50n;
  await reportNow(product, -loss);
  await as("confirmer", { ...at, functionName: "takeBackLoss" });
  await returnMoney(product);
  await as("keeper", { address: vault.queue.address, abi: redemptionQueueAbi, functionName: "process" }).catch(
    // The local world's own keeper may have done this first.
    (error: Error) => {
      if (!error.message.includes("NothingToProcess")) throw error;
    },
  );
}

/** Lets depositors request all their shares until nothing can be withdrawn at once. Returns the first depositor. */
async function crowd(product: Vault): Promise<PrivateKeyAccount> {
  const vault = { address: product.contract, abi: demandVaultAbi } as const;
  let first: PrivateKeyAccount | undefined;
  for (let index = 0; index < DEPOSITOR_COUNT; index++) {
    if (first && (await chain.readContract({ ...vault, functionName: "instantLiquidity" })) === 0n) return first;
    const account = depositor(index);
    if ((await chain.readContract({ ...vault, functionName: "maxRedeem", args: [account.address] })) === 0n) continue;
    await requestAll(account, product, product.vault.queue.address);
    first ??= account;
  }
  throw new Error("all who hold shares of the seeded world have asked, and money is idle still");
}

test("an amount that cannot leave at once is requested, waits in the queue, and is collected to the last unit, on a phone too", async ({
  page,
  wallet,
}, { retry }) => {
  await wallet.provide();
  const detail = await api<Vault>(`product/${productOf(retry)}`);
  const other = await crowd(detail);
  const line = { address: detail.vault.queue.address, abi: redemptionQueueAbi } as const;
  await page.goto(`/product/${productOf(retry)}`);
  await connect(page, "test.wallet", wallet.address);
  const panel = page.getByTestId("action-panel");
  await panel.getByLabel("Amount to deposit").fill("1,000");
  await panel.getByRole("button", { name: "Deposit 1,000" }).click();
  await expect(panel.getByText("You deposited 1,000.00 tUSD.")).toBeVisible();

  await panel.getByRole("tab", { name: "Withdraw" }).click();
  await panel.getByLabel("Amount to withdraw").fill("400");
  await expect(panel.getByText("You can’t cancel a request.", { exact: true })).toBeVisible();
  await expect(panel.getByText("Queued (estimate)").first()).toBeVisible();
  await panel.getByRole("button", { name: /^(Queue withdrawal|Withdraw \d)/ }).click();
  await expect(panel.getByText("Your request is in the queue.")).toBeVisible();
  const pending = () =>
    chain.readContract({ ...line, functionName: "pendingRedeemRequest", args: [0n, wallet.address] });
  const first = await pending();
  expect(first).toBeGreaterThan(0n);
  const queue = page.getByTestId("queue-claim");
  await expect(queue.getByText("in the queue").first()).toBeVisible();

  await page.setViewportSize(phone);
  await page.reload();
  await expectConnected(page, wallet.address);
  await page.getByRole("button", { name: "Deposit or withdraw" }).click();
  await panel.getByRole("tab", { name: "Withdraw" }).click();
  await panel.getByLabel("Amount to withdraw").fill("100");
  await expect(panel.getByText("You can’t cancel a request.", { exact: true })).toBeVisible();
  expect(await overflow(page)).toBe(0);
  await panel.getByRole("button", { name: /^(Queue withdrawal|Withdraw \d)/ }).click();
  await expect(panel.getByText("Your request is in the queue.")).toBeVisible();
  expect(await pending()).toBeGreaterThan(first);
  await page.setViewportSize(wide);

  await serve(detail);
  await page.reload();
  const collect = queue.getByRole("button", { name: /^Collect/ });
  await expect(collect).toBeVisible();
  const claimable = await chain.readContract({ ...line, functionName: "maxWithdraw", args: [wallet.address] });
  expect(claimable).toBeGreaterThan(499_000_000n);
  const before = await balance(detail, wallet.address);
  await collect.click();
  await expect(queue.getByText(/^You collected /)).toBeVisible();
  expect(await chain.readContract({ ...line, functionName: "maxWithdraw", args: [wallet.address] })).toBe(0n);
  expect(await balance(detail, wallet.address)).toBe(before + claimable);

  // The owner of the earlier request collects on a phone.
  wallet.become(other);
  await page.setViewportSize(phone);
  await page.evaluate(() => localStorage.removeItem("checkAddress"));
  await page.reload();
  await expectConnected(page, other.address);
  const [due, had] = [
    await chain.readContract({ ...line, functionName: "maxWithdraw", args: [other.address] }),
    await balance(detail, other.address),
  ];
  expect(due).toBeGreaterThan(0n);
  await page.getByRole("button", { name: "Deposit or withdraw" }).click();
  await collect.click();
  await expect(queue.getByText(/^You collected /)).toBeVisible();
  expect(await overflow(page)).toBe(0);
  expect(await balance(detail, other.address)).toBe(had + due);
});

test("the form fits on a phone, and a wallet that batches signs a deposit once", async ({ page, wallet }) => {
  await page.setViewportSize(phone);
  await wallet.provide();
  wallet.batches = true;
  await page.goto(`/product/${shortId}`);
  await page.getByRole("button", { name: "Deposit or withdraw" }).click();
  const panel = page.getByTestId("action-panel");
  await panel.getByRole("button", { name: "Connect Wallet" }).click();
  await page.getByTestId("rk-wallet-option-test.wallet").click();
  await expect(panel.getByText("Balance")).toBeVisible();
  await panel.getByLabel("Amount to deposit").fill("250");
  await panel.getByRole("button", { name: "Deposit 250" }).click();
  await expect(panel.getByText("You deposited 250.00 tUSD.")).toBeVisible();
  expect(await overflow(page)).toBe(0);
  expect(wallet.calls.filter((call) => call === "wallet_sendCalls")).toHaveLength(1);
  expect(wallet.calls).not.toContain("eth_signTypedData_v4");
  expect(wallet.calls).not.toContain("eth_sendTransaction");
});

function balance({ asset }: Vault, who: Hex): Promise<bigint> {
  return chain.readContract({ address: asset.address, abi: testDollarAbi, functionName: "balanceOf", args: [who] });
}
