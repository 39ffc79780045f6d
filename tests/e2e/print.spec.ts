import type { Statement } from "@aqua/sdk/api/portfolio";
import type { Page } from "@playwright/test";
import { api } from "./support/app";
import { depositor, products } from "./support/holders";
import { expect, test } from "./support/test";

/** Imitates a printing browser: dispatches the event first, then applies the print style. */
async function print(page: Page) {
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
}

async function expectContentOnly(page: Page) {
  for (const role of ["banner", "navigation", "contentinfo", "complementary", "tablist"] as const)
    for (const one of await page.getByRole(role, { includeHidden: true }).all()) await expect(one).toBeHidden();
  await expect(page.getByRole("button", { name: "AQUA MIND", includeHidden: true })).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

test("a statement prints with wallet, period, blocks and every line, and nothing else", async ({ page }) => {
  const { wallet } = await depositor();
  const year = new Date().getUTCFullYear();
  const span = `from=${Date.UTC(year, 0, 1)}&to=${Date.UTC(year + 1, 0, 1)}`;
  const statement = await api<Statement>(`account/statement/${wallet}?${span}`);
  const [first] = statement.products;
  if (!first) throw new Error("the statement of the year is empty");

  await page.goto(`/portfolios?address=${wallet}&tab=statements&period=thisYear`);
  const part = page.getByRole("region", { name: first.name, exact: true });
  await expect(part).toContainText("Closing value");
  await expect(page.getByRole("button", { name: "Print or save as PDF" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Statement", exact: true })).toBeHidden();

  await print(page);
  await expectContentOnly(page);
  const head = page.getByRole("heading", { name: "Statement", exact: true }).locator("..");
  await expect(head).toBeVisible();
  await expect(head).toContainText(wallet, { ignoreCase: true });
  await expect(head).toContainText(`Jan 1, ${year} to `);
  await expect(head).toContainText(/read at block [\d,]+/);
  await expect(part).toContainText("Opening value");
  await expect(part.getByRole("columnheader").first()).toBeVisible();
  await expect(part.getByRole("row")).toHaveCount(first.lines.length + 1);
  for (const name of ["CSV", "JSON", "Print or save as PDF"])
    await expect(page.getByRole("button", { name, includeHidden: true })).toBeHidden();
});

test("every other page prints without navigation, panel and chat", async ({ page }) => {
  const [product] = await products("demand_deposit");
  for (const path of ["/", "/products", `/product/${product?.short_id}`, "/transparency", "/about#privacy"]) {
    await page.emulateMedia({ media: "screen" });
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("contentinfo")).toBeVisible();
    await print(page);
    await expectContentOnly(page);
  }
});

test("a dark page prints dark on white", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/about");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(await background()).toBe("rgb(255, 255, 255)");
});
