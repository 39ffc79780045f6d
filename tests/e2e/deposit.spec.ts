import type { Page } from "@playwright/test";
import { api, connect, expectAddress, expectConnected, redeemable } from "./support/app";
import { withoutBlocks } from "./support/chain";
import { expect, moving, test } from "./support/test";

test.use(moving);

const product = "/product/alps-hydro";
test.use({ viewport: { width: 1440, height: 900 } });

interface Holding {
  short_id: string;
  value: string;
  as_of: { block: number };
}

/** Records the texts drawn for changing figures. The returned function returns the list. */
async function figuresDrawn(page: Page): Promise<() => Promise<string[]>> {
  const seen = await page.evaluateHandle(() => {
    const texts: string[] = [];
    new MutationObserver((changes) => {
      for (const { target } of changes) texts.push((target as HTMLElement).dataset.count ?? "");
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["data-count"] });
    return texts;
  });
  return () => seen.evaluate((texts) => texts.filter((text) => text !== ""));
}

test("a wallet deposits, watches it arrive, and withdraws part of it, without a reload", async ({ page, wallet }) => {
  await wallet.provide();
  await page.goto(product);
  await connect(page, "test.wallet", wallet.address);

  const panel = page.getByRole("region", { name: "Deposit or withdraw" });
  await panel.getByLabel("Amount to deposit").fill("1,000");
  await expect(panel.getByText("Minimum received")).toBeHidden();
  await panel.getByText("Details").click();
  await expect(panel.getByText("Minimum received")).toBeVisible();

  await withoutBlocks(async () => {
    await panel.getByRole("button", { name: "Deposit 1,000" }).click();
    await expect(panel.getByText("Transaction sent")).toBeVisible();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Portfolios" }).click();
    await page.getByRole("tab", { name: "Activity" }).click();
    const activity = page.getByRole("region", { name: "Activity" });
    await expect(activity.getByText("Pending")).toBeVisible();
  });

  const activity = page.getByRole("region", { name: "Activity" });
  await expect(activity.getByText("Confirmed")).toBeVisible();
  await expect(activity.getByText("Pending")).toBeHidden();
  await page.getByRole("tab", { name: "Demand" }).click();
  await expect(page.getByRole("tabpanel", { name: "Demand" })).toContainText("Alpine River Hydropower");

  // The API's value equals the contract's payment, to the last unit, at the same block.
  const { items } = await api<{ items: Holding[] }>(`account/hold/${wallet.address}`);
  const detail = await api<{ contract: `0x${string}` }>("product/alps-hydro");
  const [holding] = items;
  if (!holding) throw new Error("The deposit is not in the holdings.");
  const onChain = await redeemable(detail.contract, wallet.address, holding.as_of.block);
  expect(BigInt(holding.value.replace(".", ""))).toBe(onChain);

  await page.goto(product);
  await expectConnected(page, wallet.address);
  await panel.getByRole("tab", { name: "Withdraw" }).click();
  await panel.getByLabel("Amount to withdraw").fill("400");
  const drawn = await figuresDrawn(page);
  await panel.getByRole("button", { name: "Withdraw 400" }).click();
  await expect(panel.getByText("You withdrew 400.00 tUSD.")).toBeVisible();

  // The displayed position counts down to its new value and stays there.
  await expect(page.getByText("My position", { exact: true }).locator("xpath=..")).toContainText(
    /^My position60\d\.\d\d/,
  );
  const steps = (await drawn()).map((text) => Number(text.replace(",", "")));
  expect(steps.filter((step) => step > 610 && step < 990).length).toBeGreaterThan(0);
  await expect(page.locator("[data-count]")).toHaveCount(0);

  const after = await api<{ items: Holding[] }>(`account/hold/${wallet.address}`);
  const rest = after.items[0];
  if (!rest) throw new Error("What was not withdrawn is gone from the holdings.");
  expect(BigInt(rest.value.replace(".", ""))).toBe(await redeemable(detail.contract, wallet.address, rest.as_of.block));
});

test("rejecting a signature breaks nothing and shows no message", async ({ page, wallet }) => {
  await wallet.provide();
  await page.goto(product);
  await connect(page, "test.wallet", wallet.address);
  const panel = page.getByRole("region", { name: "Deposit or withdraw" });

  for (const method of ["eth_signTypedData_v4", "eth_sendTransaction"]) {
    wallet.refused.clear();
    wallet.refused.add(method);
    await panel.getByLabel("Amount to deposit").fill("250");
    await panel.getByRole("button", { name: "Deposit 250" }).click();
    await expect.poll(() => wallet.calls.includes(method)).toBe(true);
    // The form is as before: it contains the amount, the button is enabled, and there is no error message.
    await expect(panel.getByRole("button", { name: "Deposit 250" })).toBeEnabled();
    await expect(panel.getByLabel("Amount to deposit")).toHaveValue("250");
    await expect(page.getByRole("alert")).toHaveCount(0);
    await expect(page.getByRole("status").getByText(/error|failed|refused/i)).toHaveCount(0);
  }

  wallet.refused.clear();
  await panel.getByRole("button", { name: "Deposit 250" }).click();
  await expect(panel.getByText("You deposited 250.00 tUSD.")).toBeVisible();
});

test("a reload in mid-flight finds the transaction again and shows its outcome", async ({ page, wallet }) => {
  await wallet.provide();
  await page.goto(product);
  await connect(page, "test.wallet", wallet.address);
  const panel = page.getByRole("region", { name: "Deposit or withdraw" });

  await withoutBlocks(async () => {
    await panel.getByLabel("Amount to deposit").fill("75.5");
    await panel.getByRole("button", { name: "Deposit 75.5" }).click();
    await expect(panel.getByText("Transaction sent")).toBeVisible();
    await page.reload();
    await expectConnected(page, wallet.address);
    await expect(panel.getByText("Transaction sent")).toBeVisible();
  });

  await expect(panel.getByText("You deposited 75.50 tUSD.")).toBeVisible();
  await page.reload();
  await expectConnected(page, wallet.address);
  await expect(panel.getByText("Transaction sent")).toBeHidden();
});

test("a wallet on a wrong network is asked to switch, and then the deposit works", async ({ page, wallet }) => {
  await wallet.provide();
  await page.goto(product);
  await connect(page, "test.wallet", wallet.address);
  await wallet.moveTo(5);

  const panel = page.getByRole("region", { name: "Deposit or withdraw" });
  await expect(panel.getByText("Wrong network detected, switch or disconnect to continue.")).toBeVisible();
  await expect(page.getByRole("banner").getByText("Wrong network")).toBeVisible();
  await panel.getByRole("button", { name: "Switch to Aqua Local" }).click();

  await expectAddress(page, wallet.address);
  await panel.getByLabel("Amount to deposit").fill("20");
  await panel.getByRole("button", { name: "Deposit 20" }).click();
  await expect(panel.getByText("You deposited 20.00 tUSD.")).toBeVisible();
});
