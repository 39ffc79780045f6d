import type { Page } from "@playwright/test";
import { wideFrom, widths } from "./support/pages";
import { expect, moving, repeatedIf, test } from "./support/test";

test.use(moving);

const mainNavigation = (page: Page) => page.getByRole("navigation", { name: "Main" });
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });

for (const width of widths) {
  test.describe(`at ${width} px`, repeatedIf(width === 768), () => {
    test.use({ viewport: { width, height: 800 } });

    test("the header stays on top, the logo leads home and the navigation is where the width has room for it", async ({
      page,
    }) => {
      await page.goto("/about");
      await expect(heading(page, /About/)).toBeVisible();
      await page.evaluate(() => window.scrollTo(0, 500));
      const header = page.getByRole("banner");
      await expect.poll(async () => (await header.boundingBox())?.y).toBe(0);
      await expect(header).toBeInViewport();
      await expect(header.getByRole("button", { name: "Connect Wallet" })).toBeInViewport();

      const menu = header.getByRole("button", { name: "Open menu" });
      await expect(menu).toBeVisible({ visible: width < wideFrom });
      await expect(mainNavigation(page)).toBeVisible({ visible: width >= wideFrom });

      await header.getByRole("link", { name: "Aqua, to the home page" }).click();
      await expect(page).toHaveURL("/");
      await expect(heading(page, /Deposits backed by real assets/)).toBeVisible();
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
    });
  });
}

for (const width of widths.filter((width) => width >= wideFrom)) {
  test.describe(`navigation at ${width} px`, repeatedIf(width === 768), () => {
    test.use({ viewport: { width, height: 800 } });

    test("each link opens its page at the top, is marked there alone and the title is announced", async ({ page }) => {
      await page.goto("/");
      const links = mainNavigation(page).getByRole("link");
      const current = mainNavigation(page).locator("[aria-current=page]");
      await expect(links).toHaveText(["Home", "Products", "Portfolios", "About Us"]);
      await expect(current).toHaveText(["Home"]);

      for (const [name, path, title] of [
        ["Products", "/products", "Products"],
        ["Portfolios", "/portfolios", "Portfolios"],
        ["About Us", "/about", /About/],
        ["Home", "/home", /Deposits backed by real assets/],
      ] as const) {
        await page.evaluate(() => window.scrollTo(0, 400));
        await links.filter({ hasText: name }).click();
        await expect(page).toHaveURL(path);
        await expect(heading(page, title)).toBeVisible();
        await expect(current).toHaveText([name]);
        await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
        await expect(page.getByRole("main")).toBeFocused();
        const shown = await page.title();
        await expect(
          page.locator("[aria-live=polite]").filter({ hasText: shown.split(" · ")[0] ?? shown }),
        ).toHaveCount(1);
      }
    });

    test("Community holds two outside links that open beside the app, and closes with Escape", async ({ page }) => {
      await page.goto("/products");
      const community = mainNavigation(page).getByRole("button", { name: "Community" });
      await community.click();
      const outside = mainNavigation(page).locator("a[href^='https://']");
      await expect(outside).toHaveCount(2);
      for (const link of await outside.all()) {
        await expect(link).toBeInViewport({ ratio: 1 });
        await expect(link).toHaveAttribute("target", "_blank");
        await expect(link).toHaveAttribute("rel", /noopener/);
        await expect(link).toContainText("(opens in a new tab)");
      }
      await page.keyboard.press("Tab");
      await expect(outside.first()).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(outside).toHaveCount(0);
      await expect(community).toBeFocused();
    });
  });
}

test.describe("the drawer at 360 px", () => {
  test.use({ viewport: { width: 360, height: 640 } });

  test("takes at most 60 % of the height, holds focus, and gives it back on Escape", async ({ page }) => {
    await page.goto("/products");
    const button = page.getByRole("button", { name: "Open menu" });
    await button.click();
    const drawer = page.getByRole("dialog", { name: "Menu" });
    await expect(drawer).toBeVisible();
    await drawer.evaluate((element) => Promise.all(element.getAnimations().map((animation) => animation.finished)));
    const box = await drawer.boundingBox();
    expect(box?.height).toBeLessThanOrEqual(640 * 0.6);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(640);
    await expect(drawer.getByRole("navigation").getByRole("link")).toHaveText([
      "Home",
      "Products",
      "Portfolios",
      "About Us",
      /^X/,
      /^Telegram/,
    ]);
    await expect(drawer.locator("[aria-current=page]")).toHaveText("Products");
    for (const link of await drawer.locator("a[href^='https://']").all()) {
      await expect(link).toHaveAttribute("target", "_blank");
      await expect(link).toHaveAttribute("rel", /noopener/);
    }

    // The focus cycles inside, and nothing behind it can be focused.
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.closest("#root") === null)).toBe(true);
    }
    await page.keyboard.press("Escape");
    await expect(drawer).toHaveCount(0);
    await expect(button).toBeFocused();

    await button.click();
    await drawer.getByRole("button", { name: "Close" }).click();
    await expect(drawer).toHaveCount(0);
    await button.click();
    await expect(drawer).toBeVisible();
    await page.mouse.click(180, 40);
    await expect(drawer).toHaveCount(0);
  });

  test("closes and begins at the top at every navigation, also to the page one is on", async ({ page }) => {
    await page.goto("/about");
    await expect(heading(page, /About/)).toBeVisible();
    const drawer = page.getByRole("dialog", { name: "Menu" });
    for (const [name, path, title] of [
      ["About Us", "/about", /About/],
      ["Products", "/products", "Products"],
      ["Home", "/home", /Deposits backed by real assets/],
    ] as const) {
      await page.evaluate(() => window.scrollTo(0, 300));
      // Content that loads above moves the page by a few pixels.
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(250);
      await page.getByRole("button", { name: "Open menu" }).click();
      await drawer.getByRole("link", { name, exact: true }).click();
      await expect(drawer).toHaveCount(0);
      await expect(page).toHaveURL(path);
      await expect(heading(page, title)).toBeVisible();
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
      await expect(page.getByRole("main")).toBeFocused();
    }
  });

  test("gives way to the header's navigation from 768 px on", async ({ page }) => {
    await page.goto("/products");
    await page.setViewportSize({ width: 767, height: 640 });
    await page.getByRole("button", { name: "Open menu" }).click();
    await expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible();
    await page.setViewportSize({ width: 768, height: 640 });
    await expect(page.getByRole("dialog", { name: "Menu" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Open menu" })).toBeHidden();
    await expect(mainNavigation(page)).toBeVisible();
  });
});

test("Transparency stays out of the navigation at every width, and the footer leads there", async ({ page }) => {
  await page.goto("/products");
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    if (width < wideFrom) await page.getByRole("button", { name: "Open menu" }).click();
    await expect(mainNavigation(page).getByRole("link", { name: "Products" })).toBeVisible();
    await expect(mainNavigation(page).locator("a[href='/transparency']")).toHaveCount(0);
    if (width < wideFrom) await page.keyboard.press("Escape");
  }
  await page.getByRole("contentinfo").locator("a[href='/transparency']").click();
  await expect(heading(page, /Transparency/)).toBeVisible();
});

test("the theme follows the system until one is chosen, which outlives a reload", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/about");
  const root = page.locator("html");
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await expect(root).toHaveAttribute("data-theme", "dark");
  const dark = await ground();
  await page.emulateMedia({ colorScheme: "light" });
  await expect(root).toHaveAttribute("data-theme", "light");
  await expect.poll(ground).not.toBe(dark);

  const theme = page.getByRole("combobox", { name: "Theme" });
  await theme.selectOption({ label: "Dark" });
  await expect(root).toHaveAttribute("data-theme", "dark");
  await expect.poll(ground).toBe(dark);
  await page.reload();
  await expect(root).toHaveAttribute("data-theme", "dark");
  await expect(theme).toHaveValue("dark");
  await theme.selectOption({ label: "System" });
  await expect(root).toHaveAttribute("data-theme", "light");
});

test("eight tabs of one browser share one event stream, so that each still gets answers", async ({ context }) => {
  const tabs = await Promise.all(Array.from({ length: 8 }, () => context.newPage()));
  for (const tab of tabs) {
    await tab.goto("/about");
    await expect(heading(tab, /About/)).toBeVisible();
  }
  const waiting = () =>
    tabs[0]?.evaluate(async () => {
      const { held = [], pending = [] } = await navigator.locks.query();
      const ours = (locks: LockInfo[]) => locks.filter(({ name }) => name?.startsWith("aqua.events")).length;
      return [ours(held), ours(pending)];
    });
  await expect.poll(waiting).toEqual([1, 7]);
  for (const tab of tabs) {
    expect(await tab.evaluate(async () => (await fetch("/api/v2/network")).status)).toBe(200);
  }
});

test("a service worker of a former version and its pages are removed", async ({ page }) => {
  await page.goto("/about");
  await page.evaluate(async () => {
    const pages = await caches.open("pages");
    await pages.put("/about", new Response("of an earlier visit"));
    await navigator.serviceWorker.register("/sw.js");
  });
  const left = () =>
    page.evaluate(async () => [(await navigator.serviceWorker.getRegistrations()).length, await caches.keys()]);
  await expect.poll(left).toEqual([0, []]);
});
