import type { Page } from "@playwright/test";
import { connect } from "./support/app";
import { stampOf } from "./support/pages";
import { expect, test } from "./support/test";

test.use({ serviceWorkers: "allow", viewport: { width: 1440, height: 900 } });

const path = "/product/alps-hydro";
const notice = (page: Page) => page.getByRole("banner").getByText(/^Figures of/);
const kept = (page: Page) =>
  page.evaluate(async () => (await (await caches.open("pages")).keys()).map(({ url }) => new URL(url).pathname));

/** Until the browser has kept the page and would ask the worker for it. */
async function expectKept(page: Page) {
  await expect.poll(() => kept(page)).toContain(path);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}

/** The page at `path` once the browser has kept it for the next visit. */
async function firstVisit(page: Page) {
  await page.goto(path);
  await expectKept(page);
}

/**
 * Holds the new figures of the next visits back until `letPage` is called in the page, and notes what a kept page shows
 * before its code is in place. Routes would not do: with one, the browser asks no service worker.
 */
async function holdFigures(page: Page) {
  await page.addInitScript((path) => {
    const { fetch } = window;
    const held = new Promise<void>((resolve) => Object.assign(window, { letPage: resolve }));
    window.fetch = async (input, init) => {
      if (input === path) await held;
      return fetch(input, init);
    };
    const look = () => {
      const age = document.querySelector("main [data-stamp-time]");
      const notice = document.querySelector("#first-notice");
      if (!("kept" in document.documentElement.dataset) || age === null || notice === null)
        return requestAnimationFrame(look);
      Object.assign(window, {
        first: {
          ageSize: getComputedStyle(age).fontSize,
          time: JSON.parse(getComputedStyle(age, "::after").content),
          notice: notice.checkVisibility() && notice.textContent,
        },
      });
    };
    requestAnimationFrame(look);
  }, path);
  return {
    first: () => page.evaluate(() => (window as unknown as { first: object }).first),
    letPage: () => page.evaluate(() => (window as unknown as { letPage: () => void }).letPage()),
  };
}

test("a second visit is there at once, says how old it is, and signs nothing until it is new", async ({
  page,
  wallet,
}) => {
  await wallet.provide();
  await page.goto(path);
  await connect(page, "test.wallet", wallet.address);
  await expectKept(page);

  const { first, letPage } = await holdFigures(page);
  await page.goto(path);
  expect(await first()).toEqual({
    ageSize: "0px",
    time: expect.stringMatching(/^\w+ \d+, \d{4}, .+ UTC$/),
    notice: expect.stringMatching(/^Figures of \w+ \d+, \d{4}, .+ UTC\. Updating…$/),
  });
  await expect(page.locator("html")).not.toHaveAttribute("data-kept");
  await expect(stampOf(page)).toContainText(/ago$|now$/);
  await expect(notice(page)).toBeVisible();
  const submit = page.getByTestId("action-panel").locator("form button[type=submit]");
  await expect(submit).toHaveAttribute("aria-busy", "true");
  await submit.click({ force: true });
  expect(wallet.calls).not.toContain("eth_sendTransaction");

  await letPage();
  await expect(notice(page)).toHaveCount(0);
  await expect(submit).not.toHaveAttribute("aria-busy");
});

test("without a connection a second visit says so, and goes on once there is one", async ({ page, context, clean }) => {
  clean.allow(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK/);
  await firstVisit(page);
  await context.setOffline(true);
  await page.goto(path);
  await expect(notice(page)).toHaveText(/The server did not answer\.$/);
  await page.getByRole("banner").getByRole("button", { name: "Retry" }).click();
  await expect(notice(page)).toHaveText(/The server did not answer\.$/);
  await context.setOffline(false);
  await expect(notice(page)).toHaveCount(0);
});

test("a page whose code is gone is loaded anew", async ({ page, clean }) => {
  clean.allow(/404/);
  await firstVisit(page);
  await page.evaluate(async (at) => {
    const pages = await caches.open("pages");
    const answer = await pages.match(at);
    const html = (await answer?.text())?.replace(/src="\/assets\/app-[^"]*"/, 'src="/assets/gone.js"');
    await pages.put(at, new Response(html, { headers: answer?.headers ?? {} }));
  }, path);
  await page.goto(path);
  await expect(page.locator("html")).not.toHaveAttribute("data-kept");
  await expect(notice(page)).toHaveCount(0);
  await expect
    .poll(() =>
      page.evaluate(() =>
        performance.getEntriesByType("navigation").map((entry) => (entry as PerformanceNavigationTiming).type),
      ),
    )
    .toEqual(["reload"]);
});

test("a kept page has the headers of the server's answer", async ({ page, clean }) => {
  clean.allow(/Content Security Policy/);
  await firstVisit(page);
  await page.goto(path);
  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "document.documentElement.dataset.ran = ''";
    document.head.append(script);
    return "ran" in document.documentElement.dataset;
  });
  expect(ran).toBe(false);
});

test("a page in another language than the chosen one is not kept", async ({ page }) => {
  await firstVisit(page);
  const header = page.getByRole("banner");
  await header.locator("button[aria-expanded]:has(svg)[aria-label*=':']").first().click();
  await header.getByRole("button", { name: "Français", exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "fr-FR");
  await expect.poll(() => kept(page)).toEqual([]);
});
