import { readFile } from "node:fs/promises";
import type { List } from "@aqua/sdk/api/envelope";
import type { RedemptionRequest, Statement } from "@aqua/sdk/api/portfolio";
import type { Product, WithdrawalRequest } from "@aqua/sdk/api/product";
import { parseUnits } from "@aqua/sdk/maths/units";
import type { Page } from "@playwright/test";
import { api } from "./support/app";
import { depositor, products } from "./support/holders";
import { expect, test } from "./support/test";

const sizes = [
  { width: 1440, height: 900 },
  { width: 360, height: 780 },
];

/** A wallet of the seeded world with a request in a queue. */
async function waiting(): Promise<{ wallet: string; product: Product }> {
  for (const product of await products("demand_deposit")) {
    const { items } = await api<List<WithdrawalRequest>>(`product/${product.short_id}/queue`);
    if (items[0]) return { wallet: items[0].wallet, product };
  }
  throw new Error("nobody waits in a queue");
}

const open = (page: Page, wallet: string, tab: string) => page.goto(`/portfolios?address=${wallet}&tab=${tab}`);

for (const size of sizes)
  test.describe(`a portfolio at ${size.width} px`, () => {
    test.use({ viewport: size });

    test("shows a request with its place in the queue", async ({ page }) => {
      const { wallet, product } = await waiting();
      const [request] = await api<RedemptionRequest[]>(`account/requests/${wallet}`);
      await open(page, wallet, "requests");
      const row = page.getByRole("row", { name: new RegExp(product.name) }).first();
      await expect(row).toContainText(request?.ready ? "waiting for cash" : "waiting for the next report");
      await row.getByRole("link", { name: product.name }).click();
      await expect(page).toHaveURL(`/liquidity/${product.short_id}`);
    });

    test("shows each receipt with its number, rate and maturity", async ({ page }) => {
      const { wallet, receipt } = await depositor();
      await open(page, wallet, "time");
      const row = page.getByRole("row", { name: new RegExp(`No\\. ${receipt.deposit_id}\\b`) }).first();
      await expect(row).toContainText(`${(Number(receipt.receipt?.rate) * 100).toFixed(2)}%`);
      await expect(row).toContainText(receipt.name);
    });

    test("saves a statement that adds up to the last unit", async ({ page }) => {
      const { wallet } = await depositor();
      await open(page, wallet, "statements&period=thisYear");
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "JSON" }).click();
      const file = await (await download).path();
      const statement = JSON.parse(await readFile(file, "utf8")) as Statement;
      expect(statement.products.length).toBeGreaterThan(0);
      for (const { decimals, opening, closing, paid_in, paid_out, earned } of statement.products) {
        const units = (amount: string) => parseUnits(amount, decimals);
        expect(units(closing.value)).toBe(units(opening.value) + units(paid_in) - units(paid_out) + units(earned));
      }
      const [first] = statement.products;
      const part = page.getByRole("region", { name: first?.name ?? "", exact: true });
      await expect(part).toContainText("Closing value");
    });

    test("saves the same statement for a spreadsheet", async ({ page }) => {
      const { wallet } = await depositor();
      await open(page, wallet, "statements&period=thisYear");
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "CSV" }).click();
      const file = await download;
      expect(file.suggestedFilename()).toMatch(/^aqua-statement-\d{4}-01-01-.*\.csv$/);
      const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
      const year = new Date().getUTCFullYear();
      const span = `from=${Date.UTC(year, 0, 1)}&to=${Date.UTC(year + 1, 0, 1)}`;
      const statement = await api<Statement>(`account/statement/${wallet}?${span}`);
      // The file has a heading, and for each product the movements with the opening and closing balance.
      const rows = statement.products.reduce((sum, { lines: movements }) => sum + movements.length + 2, 1);
      expect(lines).toHaveLength(rows);
    });

    test("keeps tab and filters through a reload and the way back", async ({ page }) => {
      const { wallet } = await waiting();
      await open(page, wallet, "activity");
      await page.getByLabel("What").selectOption("request");
      await expect(page).toHaveURL(/kind=request/);
      await page.reload();
      await expect(page.getByLabel("What")).toHaveValue("request");
      await page.getByRole("contentinfo").getByRole("link", { name: "Risks and fees" }).click();
      await expect(page).toHaveURL(/\/about/);
      await page.goBack();
      await expect(page.getByLabel("What")).toHaveValue("request");
    });
  });
