import type { Page, Route } from "@playwright/test";
import { stampOf } from "./support/pages";
import { expect, repeatedIf, test } from "./support/test";

/** Pages that the server renders, with a text of each. */
const rendered = [
  { path: "/", shown: /Alpine River Hydropower|Aegean Desalination/ },
  { path: "/products", shown: /Alpine River Hydropower/ },
  { path: "/product/aegean-water", shown: /Main risks/ },
  { path: "/liquidity/aegean-water", shown: /tUSD/ },
  { path: "/performance/aegean-water", shown: /Share price/ },
  { path: "/transparency", shown: /Aegean Desalination/ },
  { path: "/about", shown: /Aegean Desalination/ },
] as const;

const isScript = (url: URL) => url.pathname.startsWith("/assets/") && url.pathname.endsWith(".js");

/** Withholds the page's code. Returns a function that releases it. */
async function holdCode(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let open = false;
  await page.route(isScript, (route) => {
    if (open) return route.continue();
    held.push(route);
  });
  return async () => {
    open = true;
    await Promise.all(held.map((route) => route.continue()));
  };
}

test.describe("with JavaScript off", () => {
  test.use({ javaScriptEnabled: false });
  for (const { path, shown } of rendered)
    test(`${path} can be read`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByRole("main").getByText(shown).first()).toBeVisible();
      await expect(stampOf(page)).toBeVisible();
      expect(await page.title()).not.toBe("");
    });

  test("a product's page has a title, a description and a picture for previews of its link", async ({ page }) => {
    await page.goto("/product/aegean-water");
    await expect(page).toHaveTitle("Aegean Desalination · Aqua");
    const content = (name: string) => page.locator(`meta[${name}]`).getAttribute("content");
    expect(await content("property='og:title'")).toBe("Aegean Desalination · Aqua");
    const description = await content("property='og:description'");
    expect(description).toMatch(/desalination/i);
    expect(await content("name=description")).toBe(description);
    const picture = await page.request.get((await content("property='og:image'")) ?? "");
    expect([picture.status(), picture.headers()["content-type"]]).toEqual([200, "image/png"]);
  });

  test("a page comes in the language that the browser asks for, or that was chosen before", async ({ browser }) => {
    for (const [locale, cookie, lang] of [
      ["fr-CA", null, "fr-FR"],
      ["zh-HK", null, "zh-TW"],
      ["de-DE", null, "en-US"],
      ["fr-FR", "ko-KR", "ko-KR"],
    ] as const) {
      const context = await browser.newContext({ locale, javaScriptEnabled: false });
      const page = await context.newPage();
      const url = new URL("/about", test.info().project.use.baseURL).href;
      if (cookie !== null) await context.addCookies([{ name: "app-language", value: cookie, url }]);
      await page.goto(url);
      await expect(page.locator("html")).toHaveAttribute("lang", lang);
      await context.close();
    }
  });
});

// The server renders in UTC, so a difference shows elsewhere first.
for (const timezoneId of ["UTC", "Asia/Seoul"])
  test.describe(`in ${timezoneId}`, repeatedIf(timezoneId === "UTC"), () => {
    test.use({ timezoneId });
    for (const { path, shown } of rendered)
      test(`${path} is laid out before its code loads, and nothing moves afterwards`, async ({ page }) => {
        await page.addInitScript(() => {
          const seen = { shift: 0 };
          Object.assign(window, { seen });
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) {
              const { hadRecentInput, value } = entry as PerformanceEntry & { hadRecentInput: boolean; value: number };
              if (!hadRecentInput) seen.shift += value;
            }
          }).observe({ type: "layout-shift", buffered: true });
        });
        const differences: string[] = [];
        page.on("console", (message) => {
          if (message.text().includes("was rendered again")) differences.push(message.text());
        });
        // A new block changes figures, which is no difference between the two renderings.
        await page.route("**/api/v2/events*", () => undefined);
        const release = await holdCode(page);
        const arrived = page.goto(path);
        await expect(page.getByRole("main").getByText(shown).first()).toBeVisible();
        await release();
        await arrived;
        await page.waitForLoadState("load");
        expect(differences).toEqual([]);
        const { shift } = await page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen);
        expect(shift).toBeLessThan(0.1);
      });
  });

for (const { path } of rendered)
  test(`${path} is hydrated as it was served, and not rendered again`, async ({ page }) => {
    await page.addInitScript(() => {
      document.addEventListener("readystatechange", () => {
        if (document.readyState !== "interactive") return;
        for (const one of document.querySelectorAll<HTMLElement>("main *")) one.dataset.served = "";
      });
    });
    // An event that arrives meanwhile may change a figure, whose part is then rendered again.
    await page.route("**/api/v2/events*", () => undefined);
    await page.goto(path);
    // React adds properties to hydrated elements.
    await page.waitForFunction(() =>
      [...document.querySelectorAll("main :is(a, button, input, dt)")].every((one) =>
        Object.keys(one).some((key) => key.startsWith("__react")),
      ),
    );
    await page.evaluate(() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(done))));
    const { served, anew } = await page.evaluate(() => {
      const all = [...document.querySelectorAll<HTMLElement>("main *")];
      // The server does not know the width, on which charts and the place of the panel depend.
      const known = all.filter((one) => one.closest("svg, aside") === null);
      const isServed = (one: HTMLElement) => "served" in one.dataset;
      return {
        served: all.filter(isServed).length,
        anew: known.filter((one) => !isServed(one)).map((one) => one.outerHTML),
      };
    });
    expect(anew).toEqual([]);
    expect(served).toBeGreaterThan(40);
  });

test("input and selections from before hydration take effect after it", async ({ page }) => {
  const release = await holdCode(page);
  const arrived = page.goto("/products");
  const search = page.getByRole("searchbox", { name: "Search" });
  await search.pressSequentially("River Hydro");
  await page.getByLabel("Type").selectOption("demand_deposit");
  await page.getByLabel("Cash available, at least").fill("1");
  await search.focus();
  const products = page.getByRole("main").getByText(/^\d of \d products$/);
  await expect(products).toHaveText("7 of 7 products");
  await release();
  await arrived;
  await expect(products).toHaveText("1 of 7 products");
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
    ...{ q: "River Hydro", type: "demand_deposit", exit: "1" },
  });
  await page.keyboard.type("p");
  await expect(search).toHaveValue("River Hydrop");
});

test("the liquidity page uses an amount that was entered before its code was loaded", async ({ page }) => {
  const release = await holdCode(page);
  const arrived = page.goto("/liquidity/aegean-water");
  const main = page.getByRole("main");
  await main.getByLabel("If you withdraw").fill("90000000");
  await expect(main.getByText("more than the product’s total assets")).toBeHidden();
  await release();
  await arrived;
  await expect(main.getByText("more than the product’s total assets")).toBeVisible();
  await expect(main.getByLabel("If you withdraw")).toHaveValue("90000000");
});

test("the site can be put on a phone's home screen: its manifest names icons that are there", async ({ page }) => {
  await page.goto("/about");
  const href = await page.locator("link[rel=manifest]").getAttribute("href");
  const manifest = await page.request.get(href ?? "");
  expect(manifest.headers()["content-type"]).toContain("application/manifest+json");
  const { icons } = (await manifest.json()) as { icons: { src: string; type: string }[] };
  for (const { src, type } of icons)
    expect((await page.request.get(src)).headers()["content-type"], src).toContain(type);
});

test("a language chosen here is the one in which the next page comes", async ({ page, context }) => {
  await page.goto("/about");
  await page
    .getByRole("banner")
    .getByRole("button", { name: /English/ })
    .click();
  await page.getByRole("button", { name: "Français" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "fr-FR");
  expect((await context.cookies()).find(({ name }) => name === "app-language")?.value).toBe("fr-FR");
  const answer = await page.request.get("/products", { headers: { accept: "text/html" } });
  expect(await answer.text()).toContain('<html lang="fr-FR">');
});
