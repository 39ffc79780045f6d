import type { Page } from "@playwright/test";
import { api } from "./support/app";
import { violations } from "./support/axe";
import { expectLoaded, overflow } from "./support/pages";
import { expect, repeatedIf, test } from "./support/test";

const product = "/product/alps-hydro?tab=devices";
const devices = (page: Page) => page.getByRole("region", { name: "Devices" });

/** Opens the check of the last reading in the displayed device's list. */
async function verifyLast(page: Page) {
  await devices(page)
    .getByRole("button", { name: /^Verify this reading/ })
    .last()
    .click();
  return page.getByRole("dialog", { name: "Verify this reading" });
}

for (const width of [360, 1440]) {
  test.describe(`at ${width} px`, repeatedIf(width !== 360), () => {
    test.use({ viewport: { width, height: 900 } });

    test("a product shows its devices, and their last values move without a reload", async ({ page }) => {
      await page.goto(product);
      await expectLoaded(page);
      const values = devices(page).getByRole("button", { pressed: true }).locator(".font-mono");
      await expect(values).toContainText("kWh");
      const before = await values.textContent();
      await expect(values).not.toHaveText(before ?? "");
      expect(await overflow(page), "the page scrolls sideways").toBe(0);
      expect(await violations(page, "#devices")).toEqual([]);
      expect(await violations(page, "#from-device-to-yield")).toEqual([]);
    });

    test("an anchored reading is verified in the browser, step by step", async ({ page }) => {
      await page.goto(product);
      const dialog = await verifyLast(page);
      await expect(dialog.getByText("All checks passed")).toBeVisible();
      const steps = dialog.getByRole("list", { name: "Checks" }).locator("> li");
      await expect(steps).toHaveCount(8);
      await expect(dialog.getByText("failed")).toHaveCount(0);
      expect(await violations(page, "[role=dialog]")).toEqual([]);
    });
  });
}

test("a co-signed reading names its co-signer, and both signatures are verified", async ({ page }) => {
  await page.goto(`/product/alps-hydro?device=alps-meter-2`);
  await expect(devices(page).getByRole("button", { pressed: true })).toContainText("Signed twice");
  await expect(devices(page).getByText("Also signed by goms-grid")).toBeVisible();
  const dialog = await verifyLast(page);
  await expect(dialog.getByText("All checks passed")).toBeVisible();
  const steps = dialog.getByRole("list", { name: "Checks" }).locator("> li");
  await expect(steps).toHaveCount(9);
  const second = steps.filter({ hasText: "Second signature" });
  await second.getByText("Details").click();
  await expect(second.getByText("goms-grid")).toBeVisible();
  expect(await violations(page, "[role=dialog]")).toEqual([]);
});

test("a reading altered on its way breaks at its signature, and says so", async ({ page }) => {
  await page.route("**/api/v2/transparency/proof/**", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.data.reading.value = String(BigInt(body.data.reading.value) + 1_000_000n);
    await route.fulfill({ response, json: body });
  });
  await page.goto(product);
  const dialog = await verifyLast(page);
  await expect(dialog.getByText("Step 3 failed: Signature.")).toBeVisible();
  await expect(dialog.getByText(/The signature does not match/)).toBeVisible();
});

test("the newest report leads back to a signature, and its readings account for it", async ({ page }) => {
  await page.goto(product);
  const walk = page.getByRole("region", { name: "From device to yield" });
  await expect(walk.getByText(/^The readings explain/)).toBeVisible();
  await walk.getByRole("button", { name: "Verify this reading" }).click();
  await expect(walk.getByText("All checks passed")).toBeVisible();
});

test("each report names its batch, and opens the same walk", async ({ page }) => {
  await page.goto("/performance/alps-hydro?chart=devices");
  await page.getByText("Each report", { exact: true }).click();
  const table = page.getByRole("table", { name: "Income reports" });
  await expect(table.getByText(/^batch \d+$/).first()).toBeVisible();
  // Another test may have reported a loss meanwhile, which no reading explains.
  const gain = table.getByRole("row").filter({ has: page.getByText("Gain", { exact: true }) });
  await gain
    .first()
    .getByRole("button", { name: /^Check the readings of/ })
    .click();
  await expect(page.getByRole("dialog").getByText(/^The readings explain/)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("application", { name: "Device output and income" })).toBeVisible();
});

test("one report of all products claims more than its meters counted, and the page says what and why", async ({
  page,
}) => {
  const { items } = await api<{ items: { short_id: string }[] }>("product/list");
  const above: string[] = [];
  for (const { short_id } of items) {
    const series = await api<{ items: { other: string | null }[] }>(`product/${short_id}/income?range=all`);
    // Readings cannot explain a loss.
    for (const { other } of series.items) if (Number(other) > 0) above.push(`${short_id} ${other}`);
  }
  expect(above).toEqual(["alps-hydro 120.000000"]);
  await page.goto("/performance/alps-hydro?range=all");
  await expectLoaded(page);
  await expect(page.getByText(/^The report of .* exceeds the metered income$/)).toBeVisible();
  await expect(
    page.getByText(/No meter measured the remaining 120\.00 tUSD\. .*explains: After the flood, the insurer/),
  ).toBeVisible();
});

test("the home page follows a report back to a reading, a link at each knot", async ({ page }) => {
  await page.goto("/");
  const thread = page.getByRole("list", { name: "Follow an income report" });
  const reading = thread.getByRole("link", { name: /^Reading: / });
  await expect(reading).toBeVisible();
  await reading.click();
  await expect(page).toHaveURL(/\/product\/[a-z-]+\?tab=devices&device=[a-z0-9-]+#devices$/);
  await expect(devices(page).getByRole("heading", { name: "Devices" })).toBeInViewport();
});
