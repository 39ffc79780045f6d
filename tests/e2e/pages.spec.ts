import type { Page } from "@playwright/test";
import { violations } from "./support/axe";
import { interceptThroughout } from "./support/network";
import { crampedFigures, expectLoaded, overflow, pages } from "./support/pages";
import { expect, repeatedIf, test } from "./support/test";

// A page may depend on its first width, so it is loaded at both extremes. The widths between are reached by resizing.
for (const loadedAt of [360, 1440])
  test.describe(`at ${loadedAt} px`, () => {
    test.use({ viewport: { width: loadedAt, height: 900 } });

    for (const { path, heading } of pages) {
      test(`${path} loads, fits and is accessible, light and dark`, async ({ page }) => {
        await page.goto(path);
        await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
        await expectLoaded(page);
        const stands = async (width: number, colorScheme: "light" | "dark") => {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          const where = `${width} px, ${colorScheme}`;
          expect(await overflow(page), `the page scrolls sideways at ${where}`).toBe(0);
          expect(await crampedFigures(page), where).toEqual([]);
          expect(await violations(page), where).toEqual([]);
        };
        await stands(loadedAt, "light");
        await stands(loadedAt, "dark");
        if (loadedAt === 1440) await stands(768, "light");
      });
    }
  });

/** Parts of the page whose content continues invisibly beyond their edge. */
const cutOff = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".panel, .panel *")]
      .filter((part) => part.querySelector(":scope table") && getComputedStyle(part).overflowX !== "visible")
      .filter((part) => part.scrollWidth > part.clientWidth + 1)
      .map((part) => `${part.scrollWidth} px in ${part.clientWidth} px: ${part.textContent?.slice(0, 60)}`),
  );

// French has the longest texts.
for (const language of ["en-US", "fr-FR"])
  for (const path of [
    "/products?view=table",
    "/product/alps-hydro?tab=devices",
    "/product/alps-hydro?tab=activity",
    "/product/amman-mains",
    "/liquidity/sahel-solar",
    "/performance/alps-hydro",
    "/transparency",
    "/transparency?tab=devices",
    "/transparency?tab=admin",
  ])
    test(
      `no column of a table of ${path} is cut off, whatever the width, in ${language}`,
      repeatedIf(language !== "fr-FR"),
      async ({ page }) => {
        await page.addInitScript((tag) => localStorage.setItem("app-language", tag), language);
        await page.goto(path);
        // The requests in the queue are collapsed at first.
        if (path.startsWith("/liquidity")) await page.locator("main .divide-y > details > summary").first().click();
        if (path.startsWith("/performance")) await page.locator("main details:not(aside *) > summary").last().click();
        await expect(page.locator("table").first()).toBeVisible();
        await expectLoaded(page);
        for (const width of [768, 1024, 1180, 1280, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await expect.poll(() => cutOff(page), `at ${width} px`).toEqual([]);
        }
      },
    );

test("a table keeps the words of its first column whole", async ({ page }) => {
  await page.goto("/product/sahel-solar?tab=activity");
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
  await interceptThroughout(page);
  await page.goto("/about");
  // The page's own code may still be loading when the document has loaded, and must not be held.
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
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
