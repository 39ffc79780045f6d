import type { Page } from "@playwright/test";
import { interceptThroughout, unrendered } from "./support/network";
import { expect, test } from "./support/test";

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const toProducts = (page: Page) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Products" }).click();

test("a page whose code went with a new version offers to reload, and the reload brings it", async ({
  page,
  clean,
}) => {
  clean.allow(/status of 404 .*\/assets\//);
  clean.allow(/dynamically imported module/);
  await interceptThroughout(page);
  await page.goto("/about");
  await expect(page.getByRole("contentinfo")).toBeVisible();
  await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await toProducts(page);
  const notice = page.getByRole("alert").filter({ hasText: "This page needs a reload" });
  await expect(notice).toBeVisible();
  await expect(notice.getByRole("button", { name: "Retry" })).toHaveCount(0);
  // The rest of the page still works.
  await expect(page.getByRole("banner").getByRole("button", { name: "Connect Wallet" })).toBeVisible();
  await page.unroute(/\/assets\/.*\.js$/);
  await notice.getByRole("button", { name: "Reload" }).click();
  await expect(heading(page, "Products")).toBeVisible();
});

test("a new version announces itself and waits for the visitor, who may put it off", async ({ page, clean }) => {
  clean.allow(/status of 404 .*\/assets\//);
  clean.allow(/dynamically imported module/);
  await interceptThroughout(page);
  await page.goto("/about");
  await expect(page.getByRole("contentinfo")).toBeVisible();
  const news = page.getByRole("status").filter({ hasText: "A new version of Aqua is ready." });
  await expect(news).toHaveCount(0);

  await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.route(/\/\?version$/, async (route) => {
    const served = await route.fetch();
    await route.fulfill({ response: served, body: (await served.text()).replace(/(src="\/assets\/)/g, "$1next-") });
  });
  await toProducts(page);
  await expect(news).toBeVisible();
  await expect(news.getByRole("button", { name: "Reload" })).toBeVisible();
  await news.getByRole("button", { name: "Dismiss" }).click();
  await expect(news).toHaveCount(0);
});

test("a page that breaks leaves the rest of the app working, and a reload restores it", async ({ page, clean }) => {
  clean.allow(/^(console error|uncaught): .*(TypeError|RangeError|Cannot read|not iterable|is not a function)/s);
  await interceptThroughout(page);
  await page.goto("/about");
  // This page loads its products before the server breaks.
  await expect(page.getByRole("table").first()).toBeVisible();
  // The answer of a broken server: well-formed JSON of the wrong shape.
  await page.route("**/api/v2/product/list*", (route) => route.fulfill({ json: { data: { items: [{}], total: 1 } } }));
  await toProducts(page);
  const notice = page.getByRole("alert").filter({ hasText: "This page has stopped working" });
  await expect(notice).toBeVisible();
  await expect(page.getByRole("banner").getByRole("button", { name: "Connect Wallet" })).toBeVisible();

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "About Us" }).click();
  await expect(heading(page, /About/)).toBeVisible();
  await toProducts(page);
  await expect(notice).toBeVisible();
  await page.unroute("**/api/v2/product/list*");
  await notice.getByRole("button", { name: "Reload" }).click();
  await expect(heading(page, "Products")).toBeVisible();
  await expect(page.getByRole("link", { name: /Alpine River Hydropower/ }).first()).toBeVisible();
});

test("each page reports a server that is down, and appears after Retry", async ({ page, clean }) => {
  clean.allow(/net::ERR_FAILED/);
  await page.clock.install();
  await unrendered(page);
  for (const { path, shown } of [
    { path: "/product/alps-hydro", shown: /Alpine River Hydropower/ },
    { path: "/performance/alps-hydro", shown: /Income reports/ },
    { path: "/transparency", shown: /Alpine River Hydropower/ },
    { path: "/portfolios?address=0x70997970C51812dc3A010C7d01b50e0d17dc79C8", shown: /Net deposits/ },
  ]) {
    await page.route("**/api/v2/**", (route) => route.abort());
    await page.goto(path);
    const notice = page.getByRole("main").getByRole("alert").first();
    // The request is repeated twice before the notice appears.
    await expect(async () => {
      await page.clock.runFor(500);
      await expect(notice, path).toContainText("The server did not answer.", { timeout: 100 });
    }).toPass({ intervals: [10] });
    await page.unroute("**/api/v2/**");
    // A page may send several requests, and each has its own Retry.
    const retry = page.getByRole("main").getByRole("button", { name: "Retry" });
    await expect(async () => {
      if ((await retry.count()) > 0) await retry.first().click({ timeout: 1_000 });
      await expect(retry).toHaveCount(0, { timeout: 500 });
    }).toPass({ intervals: [10] });
    await expect(page.getByRole("main").getByText(shown).first(), path).toBeVisible();
    await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
  }
});

test("a page appears by itself once the server is ready again", async ({ page, clean }) => {
  clean.allow(/503/);
  await unrendered(page);
  const away = { error_code: "internal_error", message: "Try again", request_id: "r-1", retry_after: 2 };
  await page.route(/\/(api\/v2\/|ready$)/, (route) => route.fulfill({ status: 503, json: away }));
  await page.goto("/product/alps-hydro");
  const notice = page.getByRole("main").getByRole("alert").first();
  await expect(notice).toBeVisible();
  // The page asks whether the server is ready, and keeps its notice while it is not.
  await page.waitForResponse(/\/ready$/);
  await expect(notice).toBeVisible();
  await page.unroute(/\/(api\/v2\/|ready$)/);
  await expect(
    page
      .getByRole("main")
      .getByText(/Alpine River Hydropower/)
      .first(),
  ).toBeVisible();
  await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
});

test("a cut stream of events is opened again and missed data is refetched", async ({ page, clean }) => {
  clean.allow(/503.*\/api\/v2\/events/);
  clean.allow(/status of 503/);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname.replace("/api/v2/", "")));
  const count = (path: string) => asked.filter((each) => each === path).length;
  let cut = true;
  await page.route("**/api/v2/events*", (route) => (cut ? route.fulfill({ status: 503 }) : route.continue()));
  await page.goto("/products");
  await expect(heading(page, "Products")).toBeVisible();
  await expect.poll(() => count("events")).toBeGreaterThan(0);
  const lists = count("product/list");
  const block = () =>
    page
      .getByRole("contentinfo")
      .getByText(/^block [\d,]+/)
      .first()
      .textContent();
  cut = false;
  await expect.poll(() => count("product/list")).toBeGreaterThan(lists);
  // The stream works again: the footer shows new blocks without a reload.
  const before = await block();
  await expect.poll(block).not.toBe(before);
});
