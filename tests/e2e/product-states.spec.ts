import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { List } from "@aqua/sdk/api/envelope";
import type { DemandDetail, Product } from "@aqua/sdk/api/product";
import type { Hex } from "viem";
import { api } from "./support/app";
import { chain } from "./support/chain";
import { as, deposit, redeemAll } from "./support/invest";
import { expect, test } from "./support/test";
import { chainStateOf, expectNotice, expectTrueAbout } from "./support/true-sentences";

// Compares the pages of products in each state with the contracts. Winding down is in winding-down.spec.ts.

const listed = async () => (await api<List<Product>>("product/list")).items;
async function productOf(shortId: string): Promise<Product> {
  const found = (await listed()).find(({ short_id }) => short_id === shortId);
  if (!found) throw new Error(`No product ${shortId}`);
  return found;
}

test("open and with nothing available: every figure and sentence on /about is that of the contracts", async ({
  page,
}) => {
  const products = await listed();
  const states = await Promise.all(products.map((product) => chainStateOf(product)));
  const stuck = products.filter((_, index) => states[index]?.available === 0n).map(({ short_id }) => short_id);
  expect(stuck).toContain("sahel-solar");
  await expectTrueAbout(page, products);
  await page.goto("/product/sahel-solar");
  await expect(
    page
      .getByRole("complementary")
      .getByText(/^50% by /)
      .first(),
  ).toBeVisible();
});

test("closed: the notice says what the contract would pay out now", async ({ page }) => {
  const product = await productOf("lofoten-tidal");
  expect(product.status).toBe("closed");
  await page.goto(`/product/${product.short_id}`);
  await expectNotice(page, product, "closed");
});

test("a loss that was taken back: the page names the fall of the share price, and when the loss was reversed", async ({
  page,
}) => {
  const { max_drawdown } = await api<DemandDetail>("product/aegean-water");
  expect(Number(max_drawdown)).toBeGreaterThan(0.01);
  await page.goto("/product/aegean-water");
  const sentence = /The share price once fell by 1\.\d+%, for every depositor\. The loss was reversed on /;
  await expect(page.getByRole("main")).toContainText(sentence);
});

test("paused: the notice ends when the contract's pause does, and payments at maturity go on", async ({ page }) => {
  // No other test deposits into this product.
  const product = await productOf("jutland-biogas");
  const contract = { address: product.contract as Hex, abi: termDepositAbi } as const;
  const [, , until] = await chain.readContract({ ...contract, functionName: "limits" });
  if (Number(until) * 1_000 < Date.now()) await as("guardian", { ...contract, functionName: "pause" });
  await page.goto(`/product/${product.short_id}`);
  await expectNotice(page, product, "paused");
  await expectTrueAbout(page, await listed());
});

test("full: the notice appears with the last unit of the cap and goes when money leaves", async ({ page, wallet }) => {
  await wallet.provide();
  const product = await productOf("alps-hydro");
  const invested = { contract: product.contract as Hex, asset: { address: product.asset.address as Hex } };
  const vault = { address: invested.contract, abi: demandVaultAbi } as const;
  const most = await chain.readContract({ ...vault, functionName: "maxDeposit", args: [wallet.address] });
  // Income fills the rest of the room within seconds.
  const room = most - 5_000n;
  const args = [wallet.address, room] as const;
  await as("keeper", { ...invested.asset, abi: testDollarAbi, functionName: "mint", args });
  await deposit(wallet.account, invested, room);
  try {
    await page.goto(`/product/${product.short_id}`);
    await expectNotice(page, product, "capped");
    await expectTrueAbout(page, await listed());
  } finally {
    await redeemAll(wallet.account, invested);
  }
  await expect(page.getByText("The cap is reached")).toHaveCount(0);
});
