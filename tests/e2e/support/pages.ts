import { expect, type Page } from "@playwright/test";

/** The widths of a phone, of the breakpoint between small and large screens, and of a desk. */
export const widths = [360, 768, 1440] as const;

/** From this width on, the navigation is in the header; below it, in the drawer. */
export const wideFrom = 768;

/** All routes of the specification and of links in e-mails, each with a heading that only its page has. */
export const pages = [
  { path: "/", heading: /Deposits backed by real assets/ },
  { path: "/home", heading: /Deposits backed by real assets/ },
  { path: "/products", heading: "Products" },
  { path: "/product/alps-hydro", heading: "Alpine River Hydropower" },
  { path: "/liquidity/alps-hydro", heading: "Alpine River Hydropower" },
  { path: "/performance/alps-hydro", heading: "Alpine River Hydropower" },
  { path: "/portfolios", heading: "Portfolios" },
  { path: "/transparency", heading: /Transparency/ },
  { path: "/about", heading: /About/ },
  { path: "/sign-in", heading: "Log in" },
  { path: "/sign-up", heading: "Register" },
  { path: "/forgot-password", heading: "Forgot password" },
  { path: "/account", heading: "My Account" },
  { path: "/unsubscribe", heading: "Stop e-mails" },
  { path: "/nowhere/at/all", heading: "Page not found" },
] as const;

/** The first stamp of the page: block and age of its figures. */
export const stampOf = (page: Page) =>
  page
    .getByRole("main")
    .getByRole("button", { name: /^block [\d,]+/ })
    .first();

/** Resolves when nothing of the page is loading: no spinner, no skeleton. */
export async function expectLoaded(page: Page) {
  await expect(page.getByText("Loading...")).toHaveCount(0);
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
}

/** The number of CSS pixels by which the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Figures that are wider than their column and overlap the next one. */
export function crampedFigures(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main dl dd")]
      .filter((figure) => figure.scrollWidth > figure.clientWidth + 1)
      .map((figure) => `${figure.innerText}: ${figure.scrollWidth} px in ${figure.clientWidth} px`),
  );
}

/** Stops the page's installed clock at its current time. */
export async function stopClock(page: Page) {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 2_000));
}
