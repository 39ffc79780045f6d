import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import type { OutboxMail } from "@aqua/sdk/api/auth";
import type { Network } from "@aqua/sdk/api/network";
import type { Recoveries } from "@aqua/sdk/api/transparency";
import { type Hex, hexToString, stringToHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expectSound } from "./support/account";
import { api, connect } from "./support/app";
import { chain } from "./support/chain";
import { as } from "./support/invest";
import { pages } from "./support/pages";
import { expect, longCampaign, test } from "./support/test";

/** Lets the attester propose that a new wallet of the same subject replaces `old`. */
async function proposeRecovery(registry: Hex, old: Hex): Promise<Hex> {
  const at = { address: registry, abi: identityRegistryAbi } as const;
  const next = privateKeyToAccount(generatePrivateKey());
  const { subject } = await chain.readContract({ ...at, functionName: "recordOf", args: [old] });
  const line = async (functionName: "requestLine" | "recoveryLine", argument: bigint | Hex) =>
    hexToString((await chain.readContract({ ...at, functionName, args: [argument] } as never)) as Hex);
  const request = await line("requestLine", subject);
  const { timestamp } = await chain.getBlock();
  const hello = "A first text of the new wallet";
  const bound = await next.signMessage({ message: `${hello}${request}` });
  const until = timestamp + 300n * 86_400n;
  const binding = [next.address, subject, until, 250, 1, stringToHex(hello), bound];
  await as("attester", { ...at, functionName: "bind", args: binding });
  const before = "Another text of the new wallet";
  const signed = await next.signMessage({ message: `${before}${await line("recoveryLine", old)}${request}` });
  await as("attester", {
    ...at,
    functionName: "proposeRecovery",
    args: [old, next.address, stringToHex(before), "0x", signed],
  });
  return next.address;
}

test("a proposed recovery is in the holder's mail and on every page, and one press vetoes it from another network", async ({
  page,
  wallet,
}) => {
  await wallet.provide();
  const network = await api<Network>("network");
  const registry = network.chains[0]?.identity_registry as Hex;
  const successor = await proposeRecovery(registry, wallet.address);
  const live = async () => (await api<Recoveries>(`transparency/recoveries?wallet=${wallet.address}`)).recoveries;
  await expect.poll(async () => (await live()).map((one) => one.successor)).toEqual([successor]);
  const mails = () => api<OutboxMail[]>(`dev/outbox?to=${encodeURIComponent(wallet.session?.email ?? "")}`);
  const proposed = async () =>
    (await mails()).find(({ subject }) => subject === "The identity verifier proposed a recovery of your wallet");
  await expect.poll(async () => (await proposed())?.text).toContain(successor);

  await page.goto("/about");
  await connect(page, "test.wallet", wallet.address);
  const banner = page.getByTestId("recovery");
  const veto = banner.getByRole("button", { name: "Veto" });
  // The banner is part of the frame around every page.
  for (const { path, heading } of longCampaign ? pages : pages.filter((_, index) => index % 5 === 0)) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    await expect(banner, path).toContainText(new RegExp(`${successor.slice(0, 4)}.* may replace`));
    await expect(veto, path).toBeInViewport();
  }
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Products" }).click();
  await expect(veto).toBeInViewport();
  await page.setViewportSize({ width: 360, height: 780 });
  await expectSound(page, "the banner of a recovery", "#notices");
  // The banner is above the header.
  const [bottom, top] = await Promise.all(
    [banner, page.getByRole("banner")].map(async (part) => (await part.boundingBox())?.y ?? Number.NaN),
  );
  expect(bottom).toBeLessThan(top as number);
  await wallet.moveTo(1);
  await expect(veto).toBeVisible();
  await veto.click();
  await expect.poll(live).toEqual([]);
  expect(wallet.calls).toContain("wallet_switchEthereumChain");
  const [none] = await chain.readContract({
    address: registry,
    abi: identityRegistryAbi,
    functionName: "recoveryOf",
    args: [wallet.address],
  });
  expect(BigInt(none)).toBe(0n);
  await expect(veto).toHaveCount(0);
});
