import { violations } from "./support/axe";
import { expectLoaded, overflow, pages, widths } from "./support/pages";
import { expect, test } from "./support/test";

for (const width of widths) {
  for (const colorScheme of width === 768 ? (["light"] as const) : (["light", "dark"] as const)) {
    test.describe(`at ${width} px, ${colorScheme}`, () => {
      test.use({ viewport: { width, height: 900 }, colorScheme });

      for (const { path, heading } of pages) {
        test(`${path} stands, fits and is accessible`, async ({ page }) => {
          await page.goto(path);
          await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
          await expectLoaded(page);
          expect(await overflow(page), "the page scrolls sideways").toBe(0);
          expect(await violations(page)).toEqual([]);
        });
      }
    });
  }
}

test("a table keeps the words of its first column whole", async ({ page }) => {
  await page.goto("/product/sahel-solar");
  const kind = page.getByRole("region", { name: "Transactions" }).getByRole("rowheader").first().locator("span").last();
  await expect(kind).toBeVisible();
  const words = ((await kind.textContent()) ?? "").split(" ").length;
  expect(await kind.evaluate((element) => element.getClientRects().length)).toBeLessThanOrEqual(words);
});

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
