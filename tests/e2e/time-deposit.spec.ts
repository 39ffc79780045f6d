import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { Page } from "@playwright/test";
import { type Hex, parseUnits } from "viem";
import { api, connect } from "./support/app";
import { chain } from "./support/chain";
import { overflow } from "./support/pages";
import { expect, test } from "./support/test";

const shortId = "amman-mains";
test.use({ viewport: { width: 1440, height: 900 } });

interface Detail {
  contract: Hex;
  asset: { address: Hex };
}

/** The receipt of a wallet, from the contract. */
async function receiptOf(contract: Hex, page: Page) {
  const title = await page
    .getByRole("heading", { name: /^Receipt \d+$/ })
    .first()
    .textContent();
  const id = BigInt(title?.replace("Receipt ", "") ?? "0");
  const [deposit] = await chain.readContract({
    address: contract,
    abi: termDepositAbi,
    functionName: "receiptOf",
    args: [id],
  });
  return { id, ...deposit };
}

/** Lets the principal of the only receipt roll over, and reads it from the contract. */
async function instruct(page: Page, contract: Hex) {
  const panel = page.getByTestId("action-panel");
  await panel.getByRole("button", { name: /^Maturity instruction/ }).click();
  await panel.getByRole("radio", { name: "Principal", exact: true }).check();
  await panel.getByRole("button", { name: "Save instruction" }).click();
  await expect(panel.getByText("Your instruction is saved.")).toBeVisible();
  expect((await receiptOf(contract, page)).roll).toBe(1n);
  await panel.getByRole("button", { name: "Done" }).click();
}

/** Exits the only receipt early for the displayed amount, up to the interest of a few seconds. Returns the payment. */
async function leaveEarly(page: Page, asset: Hex, owner: Hex): Promise<bigint> {
  const panel = page.getByTestId("action-panel");
  const balance = () =>
    chain.readContract({ address: asset, abi: testDollarAbi, functionName: "balanceOf", args: [owner] });
  const before = await balance();
  await panel.getByRole("button", { name: /^Withdraw early/ }).click();
  const leave = panel.getByRole("button", { name: /^Withdraw \d.* early$/ });
  const shown = parseUnits(/\d+\.\d+/.exec((await leave.textContent()) ?? "")?.[0] ?? "0", 6);
  await leave.click();
  await expect(panel.getByText(/^You withdrew /)).toBeVisible();
  const paid = (await balance()) - before;
  expect(shown).toBeGreaterThan(0n);
  expect(paid).toBeGreaterThanOrEqual(shown);
  expect(paid - shown).toBeLessThan(1_000n);
  return paid;
}

/** Exits 400 of the only receipt early, and checks that the rest stays with its instruction. */
async function leaveInPart(page: Page, contract: Hex) {
  const panel = page.getByTestId("action-panel");
  await panel.getByRole("button", { name: /^Withdraw early/ }).click();
  await panel.getByLabel("Principal to withdraw").fill("999,5");
  await expect(panel.getByText(/must stay/)).toBeVisible();
  await panel.getByLabel("Principal to withdraw").fill("400");
  await expect(panel.getByLabel("Preview")).toContainText("600.00");
  await panel.getByRole("button", { name: /^Withdraw \d.* early$/ }).click();
  await expect(panel.getByText(/^You withdrew 399\.\d/)).toBeVisible();
  expect(await receiptOf(contract, page)).toMatchObject({ principal: 600_000_000n, status: 1n, roll: 1n });
  await panel.getByRole("button", { name: "Done" }).click();
  await expect(panel.getByText("600.00").first()).toBeVisible();
}

test("a time deposit is opened as shown, instructed, and exited early in parts for the shown amounts", async ({
  page,
  wallet,
}) => {
  await wallet.provide();
  const { contract, asset } = await api<Detail>(`product/${shortId}`);
  await page.goto(`/product/${shortId}`);
  await connect(page, "test.wallet", wallet.address);
  const panel = page.getByTestId("action-panel");
  await panel.getByRole("radio", { name: /^6 weeks/ }).check();
  await panel.getByLabel("Amount to deposit").fill("1,000");

  await expect(panel.getByText("1,005.75").first()).toBeVisible();
  await panel.getByText("Details").click();
  // ⌊1 000 · 5 % · 42 / 365⌋ in smallest units.
  await expect(panel.getByText("1,005.753424", { exact: false }).first()).toBeVisible();
  // Day 21: 1 000 − 0.15 % + ⌊1 000 · 1 % · 21 / 365⌋.
  await panel.getByRole("slider").fill("21");
  await expect(panel.getByTestId("early-exit")).toContainText("999.075342 tUSD");
  await panel.getByRole("button", { name: "Deposit 1,000 tUSD for 6 weeks" }).click();
  await expect(panel.getByText("You deposited 1,000.00 tUSD.")).toBeVisible();

  await panel.getByRole("tab", { name: /My deposits/ }).click();
  const opened = await receiptOf(contract, page);
  expect(opened).toMatchObject({ principal: 1_000_000_000n, status: 1n, roll: 0n });
  expect(opened.maturity - opened.openedAt).toBe(42n * 86_400n);

  await instruct(page, contract);
  await leaveInPart(page, contract);
  const paid = await leaveEarly(page, asset.address, wallet.address);
  expect(paid).toBeGreaterThan(598_000_000n);
});

test("a time deposit is opened, instructed and exited in the sheet on a phone, and rejecting shows no message", async ({
  page,
  wallet,
}) => {
  const { contract, asset } = await api<Detail>(`product/${shortId}`);
  await page.setViewportSize({ width: 360, height: 780 });
  await wallet.provide();
  await page.goto(`/product/${shortId}`);
  await page.getByRole("button", { name: "Deposit or withdraw" }).click();
  const panel = page.getByTestId("action-panel");
  await panel.getByRole("button", { name: "Connect Wallet" }).click();
  await page.getByTestId("rk-wallet-option-test.wallet").click();
  await expect(panel.getByText("Balance")).toBeVisible();
  await panel.getByLabel("Amount to deposit").fill("100");
  wallet.refused.add("eth_signTypedData_v4");
  await panel.getByRole("radio", { name: /^2 weeks/ }).check();
  const open = panel.getByRole("button", { name: "Deposit 100 tUSD for 2 weeks" });
  await open.click();
  await expect.poll(() => wallet.calls.includes("eth_signTypedData_v4")).toBe(true);
  await expect(open).toBeEnabled();
  await expect(panel.getByLabel("Amount to deposit")).toHaveValue("100");
  wallet.refused.clear();
  await open.click();
  await expect(panel.getByText("You deposited 100.00 tUSD.")).toBeVisible();
  expect(await overflow(page)).toBe(0);

  await panel.getByRole("tab", { name: /My deposits/ }).click();
  await instruct(page, contract);
  expect(await overflow(page)).toBe(0);
  expect(await leaveEarly(page, asset.address, wallet.address)).toBeGreaterThan(99_000_000n);
});
