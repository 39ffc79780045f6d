import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { api } from "./support/app";
import { violations } from "./support/axe";
import { crampedFigures, expectLoaded, overflow } from "./support/pages";
import { expect, repeatedIf, test } from "./support/test";

interface Listed {
  short_id: string;
  name: string;
  type: "demand_deposit" | "time_deposit";
}

/** The first product of a type that this world has. */
async function productOf(type: Listed["type"]): Promise<Listed> {
  const { items } = await api<{ items: Listed[] }>("product/list");
  const found = items.find((product) => product.type === type);
  if (!found) throw new Error(`No product of type ${type}`);
  return found;
}

const chart = (page: Page, name: RegExp) => page.getByRole("application", { name });

for (const width of [360, 1440]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    for (const type of ["demand_deposit", "time_deposit"] as const)
      for (const about of ["performance", "liquidity"] as const) {
        // pages.spec.ts looks at a demand deposit.
        const details = repeatedIf(type === "demand_deposit");
        test(`/${about} of a ${type} loads, fits and is accessible`, details, async ({ page }) => {
          const product = await productOf(type);
          await page.goto(`/${about}/${product.short_id}`);
          await expect(page.getByRole("heading", { level: 1, name: product.name })).toBeVisible();
          await expectLoaded(page);
          await expect(page.getByRole("application").first()).toBeVisible();
          expect(await overflow(page), "the page scrolls sideways").toBe(0);
          expect(await violations(page, "main")).toEqual([]);
          for (const narrower of width === 1440 ? [1440, 1280, 1024, 768] : [width]) {
            await page.setViewportSize({ width: narrower, height: 900 });
            await expect.poll(() => crampedFigures(page), `at ${narrower} px`).toEqual([]);
          }
        });
      }

    const isRepeated = repeatedIf(width !== 360);

    test("the range is in the address, survives a reload and is asked of the server", isRepeated, async ({ page }) => {
      const { short_id } = await productOf("demand_deposit");
      await page.goto(`/performance/${short_id}`);
      await expect(chart(page, /Share price/)).toBeVisible();
      const asked = page.waitForResponse((response) => response.url().includes("performance?range=30d"));
      await page.getByRole("radio", { name: "30D" }).click();
      await asked;
      await expect(page).toHaveURL(/\?range=30d$/);
      await page.reload();
      await expect(page.getByRole("radio", { name: "30D" })).toBeChecked();
      await page.getByRole("radio", { name: "ALL" }).click();
      await expect(page).toHaveURL(new RegExp(`/performance/${short_id}$`));
    });

    test(
      "the keyboard walks a chart, and each point is read out as the server gave it",
      isRepeated,
      async ({ page }) => {
        const { short_id } = await productOf("demand_deposit");
        await page.goto(`/performance/${short_id}?range=90d`);
        const prices = chart(page, /Share price/);
        await prices.focus();
        await page.keyboard.press("Home");
        const spoken = page.getByRole("figure", { name: /Share price/ }).getByRole("status");
        const first = (await spoken.textContent()) ?? "";
        expect(first).toMatch(/Share price \d+\.\d{4,6}/);
        await page.keyboard.press("ArrowRight");
        await expect(spoken).not.toHaveText(first);
        await page.keyboard.press("End");
        await page.keyboard.press("ArrowRight");
        const last = await spoken.textContent();
        const shown = page.getByRole("figure", { name: /Share price/ }).locator("figcaption");
        for (const part of (last ?? "").split(". ")[0]?.match(/\d\.\d{4,6}/g) ?? [])
          await expect(shown).toContainText(part);
        await page.keyboard.press("Tab");
        await expect(prices).not.toBeFocused();
      },
    );
  });
}

test("an export equals the server's answer, digit by digit", async ({ page }) => {
  const { short_id } = await productOf("demand_deposit");
  const answer = page.waitForResponse((response) => response.url().includes(`${short_id}/performance?range=30d`));
  await page.goto(`/performance/${short_id}?range=30d`);
  const { data } = await (await answer).json();

  const save = async (name: string) => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    const file = await download;
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  const json = await save("Everything, JSON");
  expect(json.name).toMatch(new RegExp(`^aqua-${short_id}-30d-block-\\d+-performance\\.json$`));
  expect(JSON.parse(json.text).series).toEqual(data.series);
  const series = await save("Observations, CSV");
  const rows = series.text.trimEnd().split("\r\n");
  expect(rows).toHaveLength(data.series.length + 1);
  const { time, tvl, share_price } = data.series.at(-1);
  expect(rows.at(-1)?.split(",").slice(1, 4)).toEqual([String(time), tvl, share_price]);
  const reports = await save("Reports, CSV");
  expect(reports.text.trimEnd().split("\r\n")).toHaveLength(data.reports.length + 1);
});

test("the table beside a chart has all of its rows", async ({ page }) => {
  const { short_id } = await productOf("demand_deposit");
  await page.goto(`/performance/${short_id}?range=30d`);
  const prices = page.getByRole("figure", { name: /Share price/ });
  await prices.getByText("Show as a table").click();
  const { data } = await page.evaluate(
    async (path) => (await fetch(path)).json(),
    `/api/v2/product/${short_id}/performance?range=30d`,
  );
  await expect(prices.getByText(new RegExp(`of ${data.series.length}$`))).toBeVisible();
  await expect(prices.getByRole("row")).toHaveCount(25);
});
