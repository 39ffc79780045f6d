import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { api } from "./support/app";
import { violations } from "./support/axe";
import { expectLoaded, overflow } from "./support/pages";
import { expect, test } from "./support/test";

interface Batch {
  short_id: string;
  number: number;
  file: boolean;
}
interface Reading {
  seq: number;
  anchored: boolean;
}

/** The newest batch whose file is kept here. */
async function newestBatch(): Promise<Batch> {
  const { items } = await api<{ items: Batch[] }>("transparency/anchors?page_size=20");
  const batch = items.find(({ file }) => file);
  if (!batch) throw new Error("No batch with a file");
  return batch;
}

/** The proof of an anchored reading of the newest batch's product. */
async function anchoredProof() {
  const { short_id } = await newestBatch();
  for (const { name } of await api<{ name: string }[]>(`product/${short_id}/devices`)) {
    const readings = await api<Reading[]>(`transparency/devices/${name}/readings?limit=200`);
    const reading = readings.find(({ anchored }) => anchored);
    if (reading) return api<{ reading: { value: string } }>(`transparency/proof/${name}/${reading.seq}`);
  }
  throw new Error("No anchored reading");
}

async function open(page: Page) {
  await page.goto("/transparency");
  await expect(page.getByRole("heading", { level: 2, name: "Verify yourself" })).toBeVisible();
}

/** The steps that do not hold, counted from 1. */
async function failing(page: Page): Promise<number[]> {
  const steps = page.getByRole("list", { name: "Steps of the check" }).locator(":scope > li");
  await expect(steps.first()).toBeVisible();
  const texts = await steps.allTextContents();
  return texts.flatMap((text, index) => (text.includes("does not hold") ? [index + 1] : []));
}

for (const width of [360, 1440]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("the page with devices, feeds, roots and refusals stands, fits and is accessible", async ({ page }) => {
      await open(page);
      await expectLoaded(page);
      for (const name of ["Devices", "Freshness of device feeds", "Anchored roots", "Refused readings"])
        await expect(page.getByRole("heading", { level: 2, name, exact: true })).toBeVisible();
      await expect(page.getByRole("figure", { name: "How they do" })).toContainText("reporting");
      expect(await overflow(page), "the page scrolls sideways").toBe(0);
      expect(await violations(page, "main")).toEqual([]);
    });

    test("a reading is picked and verified from its signature to the chain", async ({ page }) => {
      await open(page);
      await page.getByRole("button", { name: "Verify this reading" }).click();
      await expect(page.getByText("Every step holds")).toBeVisible();
      expect(await failing(page)).toEqual([]);
      expect(await overflow(page), "the page scrolls sideways").toBe(0);
    });
  });
}

test("a pasted proof holds; with another figure it breaks at the signature", async ({ page }) => {
  const proof = await anchoredProof();
  await open(page);
  await page.getByRole("tab", { name: "Paste a proof" }).click();
  const box = page.getByLabel("Proof of a reading, as JSON");
  const check = page.getByRole("button", { name: "Check it", exact: true });
  await box.fill(JSON.stringify(proof));
  await check.click();
  await expect(page.getByText("Every step holds")).toBeVisible();
  await box.fill(JSON.stringify({ ...proof, reading: { ...proof.reading, value: `${proof.reading.value}1` } }));
  await check.click();
  await expect(page.getByText(/It breaks at step 3: The signature/)).toBeVisible();
  expect((await failing(page))[0]).toBe(3);
});

test("a batch is downloaded and checked; altered in one digit it breaks at the signatures", async ({ page }) => {
  const { short_id } = await newestBatch();
  await open(page);
  const anchors = page.getByRole("region", { name: "Anchored roots" });
  await anchors.getByLabel("Product").selectOption(short_id);
  const saved = page.waitForEvent("download");
  await anchors
    .getByRole("button", { name: /^Download the file of batch/ })
    .first()
    .click();
  const file = await readFile(await (await saved).path(), "utf8");
  await page.getByRole("tab", { name: "Choose a file" }).click();
  const choose = (text: string) =>
    page
      .getByLabel(/Proof or batch file/)
      .setInputFiles({ name: "batch.ndjson", mimeType: "application/x-ndjson", buffer: Buffer.from(text) });
  await choose(file);
  await expect(page.getByText("Every step holds")).toBeVisible();
  await choose(file.replace(/"value":"(-?\d)/, (found, digit) => found.replace(digit, digit === "1" ? "2" : "1")));
  await expect(page.getByText(/It breaks at step 3: The signatures/)).toBeVisible();
  expect((await failing(page))[0]).toBe(3);
});
