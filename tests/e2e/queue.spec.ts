import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import { createWalletClient, type Hex, http } from "viem";
import { type DevnetRole, roleAccount } from "../../devnet/src/accounts.ts";
import { api, connect } from "./support/app";
import { chain, localChain } from "./support/chain";
import { overflow } from "./support/pages";
import { chainUrl } from "./support/ports";
import { expect, test } from "./support/test";

const shortId = "sahel-solar";

interface Vault {
  contract: Hex;
  asset: { address: Hex };
  vault: { queue: { address: Hex } };
}

/** A call of somebody with a role, in a block. */
async function as(role: DevnetRole, call: { address: Hex; abi: unknown; functionName: string; args?: unknown[] }) {
  const client = createWalletClient({ account: roleAccount(role), chain: localChain, transport: http(chainUrl) });
  const hash = await client.writeContract(call as never);
  const { status } = await chain.waitForTransactionReceipt({ hash });
  if (status !== "success") throw new Error(`${call.functionName} by the ${role} failed.`);
}

/** The custodian brings all of it back, a report comes, and the queue is served as far as that reaches. */
async function serve({ contract, asset, vault }: Vault) {
  const at = { address: contract, abi: demandVaultAbi } as const;
  const { deployed } = await chain.readContract({ ...at, functionName: "desk" });
  const { timestamp } = await chain.getBlock();
  if (deployed > 0n) {
    await as("custodian", {
      address: asset.address,
      abi: testDollarAbi,
      functionName: "approve",
      args: [contract, deployed],
    });
    await as("custodian", { ...at, functionName: "repay", args: [deployed] });
  }
  await as("reporter", { ...at, functionName: "report", args: [0n, timestamp, `0x${"1".repeat(64)}`] });
  await as("keeper", { address: vault.queue.address, abi: redemptionQueueAbi, functionName: "process" });
}

test("what cannot leave at once is asked for, waits in the queue, and is collected to the last unit", async ({
  page,
  wallet,
}) => {
  await wallet.provide();
  const detail = await api<Vault>(`product/${shortId}`);
  const line = { address: detail.vault.queue.address, abi: redemptionQueueAbi } as const;
  await page.goto(`/product/${shortId}`);
  await connect(page, "test.wallet", wallet.address);
  const panel = page.getByTestId("action-panel");
  await panel.getByLabel("Amount to deposit").fill("1,000");
  await panel.getByRole("button", { name: "Deposit 1,000" }).click();
  await expect(panel.getByText("Your 1,000 tUSD are in.")).toBeVisible();

  await panel.getByRole("tab", { name: "Withdraw" }).click();
  await panel.getByLabel("Amount to withdraw").fill("400");
  await expect(panel.getByText("A request cannot be taken back.")).toBeVisible();
  await expect(panel.getByText("Waits in the queue, about")).toBeVisible();
  await panel.getByRole("button", { name: /^(Request|Take)/ }).click();
  await expect(panel.getByText("Your request stands in the queue.")).toBeVisible();
  const waiting = await chain.readContract({
    ...line,
    functionName: "pendingRedeemRequest",
    args: [0n, wallet.address],
  });
  expect(waiting).toBeGreaterThan(0n);
  const queue = page.getByTestId("queue-claim");
  await expect(queue.getByText("wait in the queue").first()).toBeVisible();

  await serve(detail);
  await page.reload();
  const collect = queue.getByRole("button", { name: /^Collect/ });
  await expect(collect).toBeVisible();
  const claimable = await chain.readContract({ ...line, functionName: "maxWithdraw", args: [wallet.address] });
  expect(claimable).toBeGreaterThan(399_000_000n);
  const before = await balance(detail, wallet.address);
  await collect.click();
  await expect(queue.getByText("are in your wallet.")).toBeVisible();
  expect(await chain.readContract({ ...line, functionName: "maxWithdraw", args: [wallet.address] })).toBe(0n);
  expect(await balance(detail, wallet.address)).toBe(before + claimable);
});

test("on a phone the same form fits, and a wallet that batches signs a deposit once", async ({ page, wallet }) => {
  await page.setViewportSize({ width: 360, height: 780 });
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
  await expect(panel.getByText("Your 250 tUSD are in.")).toBeVisible();
  expect(await overflow(page)).toBe(0);
  expect(wallet.calls.filter((call) => call === "wallet_sendCalls")).toHaveLength(1);
  expect(wallet.calls).not.toContain("eth_signTypedData_v4");
  expect(wallet.calls).not.toContain("eth_sendTransaction");
});

function balance({ asset }: Vault, who: Hex): Promise<bigint> {
  return chain.readContract({ address: asset.address, abi: testDollarAbi, functionName: "balanceOf", args: [who] });
}
