import type { Page } from "@playwright/test";
import { expectLoaded } from "./support/pages";
import { expect, test } from "./support/test";

test.use({ viewport: { width: 1440, height: 900 } });

/** The visible words of the page, without those of the panel and those for screen readers only. */
const words = (page: Page) =>
  page.evaluate(() => {
    const count = (text: string | undefined) => (text ?? "").split(/\s+/).filter((word) => word !== "").length;
    const main = document.querySelector("main");
    const unseen = [...(main?.querySelectorAll<HTMLElement>(":is(aside, .sr-only):not(aside .sr-only)") ?? [])];
    return count(main?.innerText) - unseen.reduce((sum, part) => sum + count(part.innerText), 0);
  });
const height = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);

/** The calls for data that the page made, by their paths. */
function callsOf(page: Page) {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/v2/") && !/image$|network$|events$/.test(pathname)) calls.push(pathname.slice(8));
  });
  return calls;
}

for (const shortId of ["aegean-water", "sahel-solar", "alps-hydro", "lofoten-tidal", "amman-mains", "jutland-biogas"])
  test(`the overview of ${shortId} has at most 350 words on two screens, and comes in one answer`, async ({ page }) => {
    const calls = callsOf(page);
    await page.goto(`/product/${shortId}`);
    await expect(page.getByRole("heading", { name: "Main risks" })).toBeVisible();
    await expectLoaded(page);
    expect(await words(page)).toBeLessThanOrEqual(350);
    expect(await height(page)).toBeLessThanOrEqual(1_800);
    expect(calls).toEqual([]);
  });

for (const path of ["performance/aegean-water", "performance/alps-hydro", "performance/lofoten-tidal"])
  test(`/${path} has at most 300 words before its reports are opened`, async ({ page }) => {
    await page.goto(`/${path}`);
    await expect(page.getByRole("application")).toBeVisible();
    await expectLoaded(page);
    expect(await words(page)).toBeLessThanOrEqual(300);
  });

for (const shortId of ["aegean-water", "sahel-solar", "lofoten-tidal"])
  test(`/liquidity/${shortId} has at most 300 words`, async ({ page }) => {
    await page.goto(`/liquidity/${shortId}`);
    await expect(page.getByRole("application").first()).toBeVisible();
    await expectLoaded(page);
    expect(await words(page)).toBeLessThanOrEqual(300);
  });

test("transparency has at most 300 words before a row is opened, and comes in one answer", async ({ page }) => {
  const calls = callsOf(page);
  await page.goto("/transparency");
  await expect(page.getByRole("table", { name: "Reserves against liabilities" })).toBeVisible();
  await expectLoaded(page);
  expect(await words(page)).toBeLessThanOrEqual(300);
  expect(calls).toEqual([]);
});

test("the page about this site has at most 900 words", async ({ page }) => {
  await page.goto("/about");
  await expect(page.getByRole("table").first()).toBeVisible();
  await expectLoaded(page);
  expect(await words(page)).toBeLessThanOrEqual(900);
});

test("Home has at most 300 words, and comes in one answer", async ({ page }) => {
  const calls = callsOf(page);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Latest events" })).toBeVisible();
  await expectLoaded(page);
  expect(await words(page)).toBeLessThanOrEqual(300);
  expect(calls).toEqual([]);
});

test("the tabs of a product keep the place, work by keyboard and by Back, and as a link", async ({ page }) => {
  const calls = callsOf(page);
  await page.goto("/product/alps-hydro");
  await expect(page.getByRole("heading", { name: "Main risks" })).toBeVisible();
  await expectLoaded(page);
  const tabs = page.getByRole("navigation", { name: "Pages of this product" });
  const current = tabs.locator("[aria-current=page]");
  await page.evaluate(() => window.scrollTo(0, 200));
  await tabs.getByRole("link", { name: "Evidence" }).press("Enter");
  await expect(page.getByRole("region", { name: "Supporting documents" })).toBeVisible();
  await expect(page).toHaveURL("/product/alps-hydro?tab=evidence");
  expect(await page.evaluate(() => window.scrollY)).toBe(200);
  await tabs.getByRole("link", { name: "Activity" }).click();
  await expect(page.getByRole("region", { name: "Transactions" }).getByRole("row").nth(1)).toBeVisible();
  expect(calls).toEqual(["product/alps-hydro/transactions"]);
  await page.goBack();
  await expect(current).toHaveText("Evidence");
  await page.goBack();
  await expect(current).toHaveText("Overview");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/product/alps-hydro?tab=contracts");
  await expect(page.getByRole("heading", { name: "Roles and permissions" })).toBeVisible();
  await expect(current).toBeInViewport({ ratio: 1 });
});

test("the panel and what is typed into it stay beside performance and liquidity", async ({ page }) => {
  await page.goto("/product/alps-hydro");
  const amount = page.getByLabel("Amount to deposit");
  await amount.fill("25");
  const tabs = page.getByRole("navigation", { name: "Pages of this product" });
  for (const name of ["Performance", "Liquidity", "Overview"]) {
    await tabs.getByRole("link", { name }).click();
    await expect(tabs.locator("[aria-current=page]")).toHaveText(name);
    await expect(amount).toHaveValue("25");
  }
});

test("a document of the evidence opens, checked in the browser; one altered on its way is not shown", async ({
  page,
}) => {
  await page.goto("/product/aegean-water?tab=evidence");
  await page.getByRole("button", { name: "Open Drinking water quality certificate" }).click();
  await expect(page.getByText("Hash checked")).toBeVisible();
  await expect(page.getByText(/Cyclades Water Laboratory \(invented\)\s+Holder/)).toBeVisible();
  await page.route("**/api/v2/document/**", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()} ` });
  });
  await page.reload();
  await page.getByRole("button", { name: "Open Property and liability insurance" }).click();
  await expect(page.getByText("This file does not match its hash")).toBeVisible();
  await expect(page.getByText(/The policy covers/)).toHaveCount(0);
});
