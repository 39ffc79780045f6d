import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import { expect, test } from "./support/test";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const pages = [
  { path: "/", heading: /Deposits that finance/ },
  { path: "/home", heading: /Deposits that finance/ },
  { path: "/products", heading: "Products" },
  { path: "/product/alps-hydro", heading: "Alpine River Hydropower" },
  { path: "/liquidity/alps-hydro", heading: "Alpine River Hydropower" },
  { path: "/performance/alps-hydro", heading: "Alpine River Hydropower" },
  { path: "/portfolios", heading: "Portfolios" },
  { path: "/transparency", heading: /Transparency/ },
  { path: "/about", heading: /About/ },
  { path: "/sign-in", heading: /./ },
  { path: "/sign-up", heading: /./ },
  { path: "/forgot-password", heading: /./ },
  { path: "/account", heading: /./ },
  { path: "/nowhere/at/all", heading: "Page not found" },
];

/** What axe finds against WCAG 2.2 A and AA, as readable lines. The script comes by the debugger, past the page's CSP. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const result = await axe.run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    });
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
  });
}

for (const width of [360, 1440]) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`at ${width} px, ${colorScheme}`, () => {
      test.use({ viewport: { width, height: 900 }, colorScheme });

      for (const { path, heading } of pages) {
        test(`${path} stands, fits and is accessible`, async ({ page, clean }) => {
          clean.allow(/404.*\/api\/v2\//);
          await page.goto(path);
          await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
          await expect(page.getByText("Loading...")).toHaveCount(0);
          await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          expect(overflow, "the page scrolls sideways").toBe(0);
          expect(await violations(page)).toEqual([]);
        });
      }
    });
  }
}

test("an unknown product is a clear page", async ({ page, clean }) => {
  clean.allow(/status of 404/);
  await page.goto("/product/no-such-product");
  await expect(page.getByRole("main")).toContainText("no-such-product");
  await expect(page.getByRole("main").getByRole("link", { name: /products/i })).toBeVisible();
});

test("a page shows the spinner with 'Loading...' while its code is on the way", async ({ page }) => {
  await page.goto("/about");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Products" }).click();
  await expect(page.getByText("Loading...")).toBeVisible();
  release();
  await expect(page.getByRole("heading", { level: 1, name: "Products" })).toBeVisible();
});

test("navigation begins at the top of the page", async ({ page }) => {
  await page.goto("/about");
  await page.evaluate(() => window.scrollTo(0, 600));
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Products" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Products" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});
