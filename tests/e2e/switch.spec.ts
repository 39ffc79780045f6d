import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import type { List } from "@aqua/sdk/api/envelope";
import type { Network } from "@aqua/sdk/api/network";
import type { Holding } from "@aqua/sdk/api/portfolio";
import type { Page } from "@playwright/test";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expectSound } from "./support/account";
import { api, expectAddress } from "./support/app";
import { chain } from "./support/chain";
import { deposit, type Invested, openReceipts } from "./support/invest";
import { expect, test } from "./support/test";
import type { TestWallet } from "./support/wallet";

type Product = Invested & { name: string };

/** Logs in the account of this wallet from the next document on. */
async function logIn(page: Page, wallet: TestWallet) {
  await page.goto("/about");
  await page.evaluate((session) => {
    for (const [key, value] of Object.entries(session ?? {})) localStorage.setItem(key, value);
  }, wallet.session);
}

test("a new wallet signs, the old one hands over, and its holdings follow, on a phone too", async ({
  page,
  wallet,
}) => {
  await wallet.provide();
  const old = wallet.account;
  const [demand, time] = await Promise.all(["alps-hydro", "amman-mains"].map((id) => api<Product>(`product/${id}`)));
  if (demand === undefined || time === undefined) throw new Error("no products");
  await deposit(old, demand, 300_000_000n);
  const [receipt] = await openReceipts({ account: old, product: time, assets: 200_000_000n });
  if (receipt === undefined) throw new Error("no receipt");
  const shares = (who: Hex) =>
    chain.readContract({ address: demand.contract, abi: demandVaultAbi, functionName: "balanceOf", args: [who] });
  const held = await shares(old.address);
  expect(held).toBeGreaterThan(0n);
  await expect
    .poll(async () => (await api<List<Holding>>(`account/hold/${old.address}`)).items.length)
    .toBeGreaterThanOrEqual(2);

  // The new wallet switches at the server with one signature, which is also valid on chain.
  await logIn(page, wallet);
  const next = privateKeyToAccount(generatePrivateKey());
  wallet.become(next);
  await page.goto("/account");
  await connectHere(page, next.address);
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Switch wallet" }).click();
  await main.getByRole("button", { name: "Confirm Switch" }).click();
  await page.getByTestId("rk-auth-message-button").click();
  await expect(page.getByRole("banner").getByRole("button", { name: "Connect Wallet" })).toBeEnabled();

  // The chain waits a day for the new wallet, unless the old one signs.
  await expect(main.getByText(/^The switch to .* can be stopped until/)).toBeVisible();
  await expectSound(page, "a switch that waits");
  wallet.become(old);
  await connectHere(page, old.address);
  await main.getByRole("button", { name: /^Sign with/ }).click();
  await expect(main.getByText(/^The switch to .* can be stopped until/)).toHaveCount(0);

  // The next step is shown. The signature survives the change of the wallet and a reload.
  const guide = page.getByTestId("move");
  await expect(guide).toContainText("has signed");
  await page.setViewportSize({ width: 360, height: 780 });
  await page.reload();
  await expect(guide).toContainText("has signed");
  await expect(guide.getByRole("list", { name: "Holdings to transfer" })).toContainText(demand.name);
  await expect(guide.getByRole("list", { name: "Holdings to transfer" })).toContainText(
    `${time.name}, receipt ${receipt}`,
  );
  await expectSound(page, "the way to the new wallet");
  await page.setViewportSize({ width: 1440, height: 900 });

  await expectAddress(page, old.address);
  const send = guide.getByRole("button", { name: "Replace and transfer" });

  // After a rejection, the rest can be moved later.
  wallet.refused.add("eth_sendTransaction");
  await send.click();
  await expect.poll(() => wallet.calls.includes("eth_sendTransaction")).toBe(true);
  await expect(send).toBeEnabled();
  wallet.refused.clear();
  await send.focus();
  await page.keyboard.press("Enter");
  await expect(guide.getByText("Transfer complete.")).toBeVisible();

  const { chains } = await api<Network>("network");
  const registry = { address: chains[0]?.identity_registry as Hex, abi: identityRegistryAbi } as const;
  expect(await chain.readContract({ ...registry, functionName: "statusOf", args: [old.address] })).toBe(4);
  expect(await chain.readContract({ ...registry, functionName: "successorOf", args: [old.address] })).toBe(
    next.address,
  );
  expect([await shares(old.address), await shares(next.address)]).toEqual([0n, held]);
  const owner = { address: time.contract, abi: termDepositAbi, functionName: "ownerOf", args: [receipt] } as const;
  expect(await chain.readContract(owner)).toBe(next.address);

  // The server indexes the move, and no further step is offered.
  await guide.getByRole("button", { name: "Done" }).click();
  await expect(guide).toHaveCount(0);
  await expect
    .poll(async () => (await api<List<Holding>>(`account/hold/${next.address}`)).items.map((item) => item.name).sort())
    .toEqual([demand.name, time.name].sort());
  await expect(main.getByRole("button", { name: /^Transfer the holdings of/ })).toHaveCount(0);
  await page.reload();
  await expect(main.getByText(/permanently replaced by .* and cannot be used again/)).toBeVisible();
});

/** Connects on /account, where no dialog opens. */
async function connectHere(page: Page, address: string) {
  await page.getByRole("banner").getByRole("button", { name: "Connect Wallet" }).click();
  await page.getByTestId("rk-wallet-option-test.wallet").click();
  await expectAddress(page, address);
}
