import { setTimeout as sleep } from "node:timers/promises";
import { expect, type Page } from "@playwright/test";
import { mnemonicToAccount } from "viem/accounts";
import { chain } from "./chain";
import { origin } from "./ports";

export const demoWallet = "org.aqua.demo";
/** The demo wallet's account, which every world creates. */
export const demo = mnemonicToAccount("test test test test test test test test test test test junk", {
  addressIndex: 20,
});

export async function api<Data>(path: string): Promise<Data> {
  const response = await fetch(`${origin}/api/v2/${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: Data }).data;
}

/** Connects through the kit's dialog, as a user with a wallet extension does; the demo wallet with its demo account. */
export async function connect(page: Page, rdns: string, address: string) {
  await page.evaluate(() => localStorage.removeItem("checkAddress"));
  await page.getByRole("banner").getByRole("button", { name: "Connect Wallet" }).click();
  await page.getByTestId(`rk-wallet-option-${rdns}`).click();
  if (rdns === demoWallet) await page.getByRole("button", { name: "Demo account" }).click();
  await expectConnected(page, address);
}

export async function expectAddress(page: Page, address: string) {
  const short = `${address.slice(0, 5)}…${address.slice(-4)}`;
  await expect(page.getByRole("banner").getByText(short)).toBeVisible();
}

/** Closes the dialog that opens when a wallet without an account connects for the first time. */
export async function expectConnected(page: Page, address: string) {
  await expectAddress(page, address);
  const checked = () => page.evaluate(() => localStorage.getItem("checkAddress"));
  await expect.poll(checked).not.toBeNull();
  if ((await checked()) === "true") return;
  const dismissed = await page.evaluate(() => localStorage.getItem("aqua.dismissedWallets"));
  if (dismissed?.includes(address.toLowerCase())) return;
  await expect(offer(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(offer(page)).toHaveCount(0);
}

/** The visible wallet dialog, in any language. */
export function offer(page: Page) {
  return page.getByRole("dialog").filter({ has: page.locator("a[href='/sign-up']") });
}

/** Returns the contract's payment for all shares of a wallet, at the block of the API's response, in smallest units. */
export async function redeemable(contract: `0x${string}`, wallet: `0x${string}`, block: number): Promise<bigint> {
  const abi = [
    {
      type: "function",
      name: "balanceOf",
      stateMutability: "view",
      inputs: [{ type: "address" }],
      outputs: [{ type: "uint256" }],
    },
    {
      type: "function",
      name: "previewRedeem",
      stateMutability: "view",
      inputs: [{ type: "uint256" }],
      outputs: [{ type: "uint256" }],
    },
  ] as const;
  const at = { address: contract, abi, blockNumber: BigInt(block) } as const;
  // For its newest block, Anvil may answer with the time of the block that it is making.
  while ((await chain.getBlockNumber({ cacheTime: 0 })) <= at.blockNumber) await sleep(50);
  const shares = await chain.readContract({ ...at, functionName: "balanceOf", args: [wallet] });
  return chain.readContract({ ...at, functionName: "previewRedeem", args: [shares] });
}
