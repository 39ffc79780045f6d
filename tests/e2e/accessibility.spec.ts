import type { Page } from "@playwright/test";
import { connect, expectConnected } from "./support/app";
import { violations } from "./support/axe";
import { unrendered } from "./support/network";
import { expectLoaded, overflow, pages } from "./support/pages";
import { expect, test } from "./support/test";

const header = (page: Page) => page.getByRole("banner");

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing in menus, drawer, chat, toast, stamp and error, ${colorScheme}`, async ({
    page,
    wallet,
    context,
    clean,
  }) => {
    clean.allow(/net::ERR_FAILED/);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.emulateMedia({ colorScheme });
    await page.goto("/about");

    await header(page).getByRole("button", { name: "Community" }).click();
    await expect(header(page).locator("a[href^='https://']")).toHaveCount(2);
    expect(await violations(page), "Community").toEqual([]);
    await page.keyboard.press("Escape");

    await header(page).getByRole("button", { name: "Language: English" }).click();
    await expect(header(page).getByRole("button", { name: "Français" })).toBeVisible();
    expect(await violations(page), "language menu").toEqual([]);
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "AQUA MIND" }).click();
    const chat = page.getByRole("dialog", { name: "AQUA MIND" });
    await chat.getByRole("button", { name: "My Position" }).click();
    expect(await violations(page), "chat, answering").toEqual([]);
    await expect(chat.locator("[data-sender=ai]")).toBeVisible();
    await chat.getByRole("textbox").fill("Good day");
    expect(await violations(page), "chat, answered").toEqual([]);
    await page.keyboard.press("Escape");

    await connect(page, "test.wallet", wallet.address);
    await header(page).getByText("…").click();
    await expect(header(page).getByRole("button", { name: "Copy Address" })).toBeVisible();
    expect(await violations(page), "wallet menu").toEqual([]);
    await header(page).getByRole("button", { name: "Copy Address" }).click();
    await expect(page.getByRole("listitem").filter({ hasText: "Copy Success" })).toBeVisible();
    expect(await violations(page), "toast").toEqual([]);

    await page.goto("/product/alps-hydro");
    await expectConnected(page, wallet.address);
    await page
      .getByRole("main")
      .getByRole("button", { name: /^block / })
      .first()
      .click();
    await expect(page.getByText("To check this figure, ask any node")).toBeVisible();
    expect(await violations(page), "stamp").toEqual([]);

    await page.setViewportSize({ width: 360, height: 700 });
    await page.getByRole("button", { name: "Open menu" }).click();
    await expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible();
    expect(await violations(page), "drawer").toEqual([]);
    await page.keyboard.press("Escape");

    await unrendered(page);
    await page.route("**/api/v2/product/**", (route) => route.abort());
    await page.goto("/products");
    await expectConnected(page, wallet.address);
    await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
    expect(await violations(page), "error").toEqual([]);
  });
}

/**
 * Returns the focused element, whether it shows a focus ring, and whether any part of it is visible; null if nothing
 * has the focus.
 */
function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const ringed = (part: Element | null) => {
      if (part === null) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part);
      return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== "none";
    };
    const box = element.getBoundingClientRect();
    const covers = (x: number, y: number) => {
      const top = document.elementFromPoint(x, y);
      return top !== null && (element.contains(top) || top.contains(element));
    };
    const points = [0.1, 0.5, 0.9].flatMap((x) =>
      [0.1, 0.5, 0.9].map((y) => [box.left + box.width * x, box.top + box.height * y] as const),
    );
    return {
      name: element.outerHTML.slice(0, 120),
      // The visible substitute of an invisible radio button or search field wears the ring.
      ring: ringed(element) || (element.matches("input") && ringed(element.parentElement)),
      // WCAG 2.4.11: elements that float above the page never cover the focused element completely.
      visible: points.some(([x, y]) => covers(x, y)),
    };
  });
}

for (const { path, width } of [
  { path: "/", width: 1440 },
  { path: "/products", width: 1440 },
  { path: "/product/alps-hydro", width: 360 },
]) {
  test(`by keyboard alone: every stop of ${path} at ${width} px shows where focus is, and none is hidden`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(path);
    await expect(page.getByRole("contentinfo")).toBeVisible();
    await expectLoaded(page);
    const seen = new Set<string>();
    for (let step = 0; step < 150; step++) {
      await page.keyboard.press("Tab");
      let stop = await focused(page);
      // Content that still arrives may move the page for a moment.
      for (let look = 0; stop !== null && !stop.visible && look < 10; look++) {
        await page.waitForTimeout(100);
        stop = await focused(page);
      }
      // Content that loads after the browser has scrolled to the focus can push it out of sight. A person tabs back then.
      if (stop !== null && !stop.visible) {
        await page.keyboard.press("Shift+Tab");
        await page.keyboard.press("Tab");
        stop = await focused(page);
      }
      if (stop === null) break;
      expect(stop).toEqual({ name: stop.name, ring: true, visible: true });
      seen.add(stop.name);
    }
    expect(seen.size).toBeGreaterThan(10);
  });
}

test("every page has a title of its own and loses nothing at 200 % zoom, nor with wider text spacing", async ({
  page,
}) => {
  // A window of 1280 pixels at 200 % is 640 CSS pixels wide.
  await page.setViewportSize({ width: 640, height: 400 });
  const titles = new Map<string, string>();
  for (const { path, heading } of pages) {
    if (path === "/home") continue;
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    await expectLoaded(page);
    const title = await page.title();
    expect(titles.get(title), `${path} shares its title with another page`).toBeUndefined();
    titles.set(title, path);
    expect(await overflow(page), `${path} at 200 %`).toBe(0);
    // The distances of WCAG 1.4.12.
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }",
      );
      document.adoptedStyleSheets.push(sheet);
    });
    expect(await overflow(page), `${path} with wider text spacing`).toBe(0);
    await expect(page.getByRole("button", { name: "Open menu" })).toBeInViewport({ ratio: 1 });
    await expect(header(page).getByRole("button", { name: "Connect Wallet" })).toBeInViewport({ ratio: 1 });
  }
});

test("the pages fit with text of twice the size", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const path of ["/", "/products", "/product/alps-hydro", "/portfolios", "/about"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectLoaded(page);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    expect(await overflow(page), path).toBe(0);
  }
});

test("a figure on its way to a new value takes no room and is read as that value", async ({ page }) => {
  await page.goto("/");
  const figures = page.getByRole("region", { name: "Key figures" });
  const figure = figures.locator("dd span > span").first();
  await expect(figure).toBeVisible();
  const placed = () =>
    figures.evaluate((element) => [...element.querySelectorAll("dd")].map((dd) => dd.getBoundingClientRect()));
  // During an animation a snapshot puts a space between a figure and its unit.
  const read = async () => (await figures.ariaSnapshot()).replaceAll(/[^\S\n]+/g, "");
  const before = { read: await read(), placed: await placed() };
  // Repeats the work of count-up.ts in every frame.
  await figure.evaluate((element) => {
    element.dataset.count = "99,999,999";
  });
  expect(await figure.evaluate((element) => getComputedStyle(element, "::after").content)).toContain("99,999,999");
  expect({ read: await read(), placed: await placed() }).toEqual(before);
});
