import { api } from "./support/app";
import { violations } from "./support/axe";
import { expectLoaded, overflow } from "./support/pages";
import { expect, repeatedIf, test } from "./support/test";

interface Listed {
  short_id: string;
  name: string;
  type: string;
  status: string;
}

interface Week {
  /** Monday 00:00 UTC, Unix milliseconds. */
  start: number;
  maturities: string;
}
interface Liquidity {
  idle: string;
  weeks: Week[];
}

/** Every product of the seeded world. */
async function products(): Promise<Listed[]> {
  return (await api<{ items: Listed[] }>("product/list?page_size=100")).items;
}

test("a search is in the address, and comes back by it and by the back button", async ({ page }) => {
  const all = await products();
  const demand = all.filter((product) => product.type === "demand_deposit");
  const first = demand[0]?.name ?? "";
  await page.goto("/products");
  await expect(page.getByText(`${all.length} of ${all.length} products`)).toBeVisible();

  await page.getByLabel("Type").selectOption("demand_deposit");
  await page.getByRole("searchbox", { name: "Search" }).fill(first);
  await expect(page.getByRole("heading", { level: 2, name: first })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.getByRole("radio", { name: "Table" }).check();
  await expect(page.getByRole("rowheader", { name: first })).toBeVisible();

  const shared = page.url();
  expect(new URL(shared).searchParams.get("q")).toBe(first);
  await page.goto("/about");
  await page.goto(shared);
  await expect(page.getByRole("rowheader")).toHaveCount(1);
  await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue(first);

  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: /About/ })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("rowheader", { name: first })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.goBack();
  await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue("");
  await expect(page.getByRole("article")).toHaveCount(demand.length);
  await page.goBack();
  await expect(page.getByRole("article")).toHaveCount(all.length);
});

test("an empty result names the filter that empties it and takes it away with one click", async ({ page }) => {
  await page.goto("/products?exit=900000000000000&status=open");
  const remove = page.getByRole("button", { name: "Remove Cash available, at least: 900,000,000,000,000" });
  await expect(remove).toBeVisible();
  await expect(page.getByRole("button", { name: /Remove Status/ })).toHaveCount(0);
  expect(await violations(page, "main")).toEqual([]);
  await remove.click();
  await expect(page).toHaveURL("/products?status=open");
  await expect(page.getByRole("article").first()).toBeVisible();
});

test.describe("west of UTC", () => {
  test.use({ timezoneId: "America/New_York" });
  test("the chart of a product's income names the months it is of", async ({ page }) => {
    const { income_months } = await api<{ income_months: { start: number }[] }>("product/alps-hydro");
    const newest = new Date(income_months.at(-1)?.start ?? 0);
    const nameOf = (options: Intl.DateTimeFormatOptions) =>
      newest.toLocaleDateString("en-US", { ...options, timeZone: "UTC" });
    // The axis names a year where it begins.
    const label = nameOf(newest.getUTCMonth() === 0 ? { year: "numeric" } : { month: "short" });
    await page.goto("/product/alps-hydro");
    const chart = page.getByRole("figure", { name: /^Income reported by month/ });
    await expect(chart.getByText(nameOf({ month: "long", year: "numeric" }), { exact: true })).toBeVisible();
    await expect(
      chart
        .locator("svg text")
        .filter({ hasText: /^[A-Z][a-z]{2}$|^\d{4}$/ })
        .last(),
    ).toHaveText(label);
  });

  test("the weeks in which a time deposit's receipts mature begin on the same days as elsewhere", async ({ page }) => {
    const { idle, weeks } = await api<Liquidity>("product/jutland-biogas/liquidity");
    const dayOf = (week: Week | undefined) =>
      new Date(week?.start ?? 0).toLocaleDateString("en-US", { dateStyle: "medium", timeZone: "UTC" });
    const short = weeks.find(
      (_, index) =>
        Number(idle) < weeks.slice(0, index + 1).reduce((sum, { maturities }) => sum + Number(maturities), 0),
    );
    await page.goto("/liquidity/jutland-biogas");
    const covered = short
      ? `Cash covers maturities before ${dayOf(short)}`
      : "Cash covers the maturities of all weeks shown";
    await expect(page.getByText(covered)).toBeVisible();
    const chart = page.getByRole("figure", { name: /^Maturities and expected inflow/ });
    await expect(chart.getByText(dayOf(weeks.at(-1)), { exact: true })).toBeVisible();
  });
});

for (const width of [360, 1440]) {
  const isRepeated = repeatedIf(width !== 360);
  test(
    `three products are side by side, by an address that can be shared, at ${width} px`,
    isRepeated,
    async ({ page }) => {
      const three = (await products()).slice(0, 3);
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/products");
      for (const { name } of three) await page.getByRole("checkbox", { name: `Compare ${name}` }).check();
      await expect(page.getByRole("checkbox", { name: /^Compare/, disabled: true })).not.toHaveCount(0);
      await page.getByRole("button", { name: "Compare 3 products" }).press("Enter");
      await expect(page.getByRole("heading", { name: "Side by side" })).toBeFocused();
      await page.getByRole("button", { name: "Back to the list" }).press("Enter");
      await expect(page.getByRole("main").getByText(/^\d+ of \d+ products$/)).toBeFocused();
      await page.getByRole("button", { name: "Compare 3 products" }).click();
      const table = page.getByRole("table", { name: "Side by side" });
      await expect(table.getByRole("columnheader")).toHaveCount(3);
      expect(new URL(page.url()).searchParams.get("compare")).toBe(three.map(({ short_id }) => short_id).join(","));
      expect(await overflow(page)).toBe(0);
      expect(await violations(page, "main")).toEqual([]);
      await page.reload();
      await expect(table.getByRole("columnheader")).toHaveCount(3);
      await page.goBack();
      await expect(page.getByRole("checkbox", { name: /^Compare/, checked: true })).toHaveCount(3);
    },
  );

  test(
    `Skip to deposit is the first link of a product's page and leads past it, at ${width} px`,
    isRepeated,
    async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/product/aegean-water");
      const deposit = page.getByRole("button", { name: "Deposit or withdraw" });
      const amount = page.getByLabel("Amount to deposit");
      await expect(width < 1024 ? deposit : amount).toBeVisible();
      await page.getByRole("link", { name: "Skip to content" }).press("Enter");
      await page.keyboard.press("Tab");
      await expect(page.getByRole("link", { name: "Skip to deposit" })).toBeFocused();
      await expect(page.getByRole("link", { name: "Skip to deposit" })).toBeInViewport();
      await page.keyboard.press("Enter");
      await expect(width < 1024 ? deposit : amount).toBeFocused();
      await expect(page.getByRole("dialog")).toHaveCount(0);
    },
  );

  for (const type of ["demand_deposit", "time_deposit"]) {
    // pages.spec.ts looks at a demand deposit.
    const details = repeatedIf(type === "demand_deposit");
    test(`the page of a ${type} loads, fits and is accessible at ${width} px`, details, async ({ page }) => {
      const product = (await products()).find((one) => one.type === type && one.status === "open");
      if (product === undefined) throw new Error(`the seeded world has no open ${type}`);
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`/product/${product.short_id}`);
      await expect(page.getByRole("heading", { level: 1, name: product.name })).toBeVisible();
      await expect(page.getByRole("heading", { level: 2, name: "Source of the yield" })).toBeVisible();
      await expect(page.getByRole("table", { name: "Terms" })).toHaveCount(type === "time_deposit" ? 1 : 0);
      await expect(page.getByRole("heading", { level: 2, name: "Main risks" })).toBeVisible();
      await expectLoaded(page);
      expect(await overflow(page)).toBe(0);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await violations(page), colorScheme).toEqual([]);
      }
    });
  }
}

test("a product that is not offered everywhere says so before anything is typed, on its page and at the sign-up", async ({
  page,
}) => {
  await page.goto("/product/atlantic-forest");
  const text = "Not offered to residents of these countries: United States";
  await expect(page.getByRole("main")).toContainText(text);
  for (const path of ["/product/atlantic-forest?tab=contracts", "/performance/atlantic-forest"]) {
    await page.goto(path);
    await expect(page.getByRole("main").getByText(text)).toBeInViewport();
  }
  await page.goto("/sign-up");
  await expect(page.getByRole("main")).toContainText("not offered to residents of these countries: United States");
});

test("the sheet of a product that is not offered everywhere says so above the amount, at 360 px", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("/liquidity/atlantic-forest");
  await page.getByRole("button", { name: "Deposit or withdraw" }).click();
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByText("Not offered to residents of these countries: United States")).toBeInViewport();
  await expect(sheet.getByLabel("Amount to deposit")).toBeVisible();
  await expect(sheet.getByRole("button", { name: "Connect Wallet" })).toBeInViewport();
  expect(await overflow(page)).toBe(0);
  expect(await violations(page)).toEqual([]);
});
