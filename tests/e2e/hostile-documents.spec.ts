import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ProductDocument, productDocument } from "@aqua/sdk/api/document";
import type { List } from "@aqua/sdk/api/envelope";
import type { Product } from "@aqua/sdk/api/product";
import { api } from "./support/app";
import { violations } from "./support/axe";
import { expectLoaded, overflow } from "./support/pages";
import { productsFolder } from "./support/ports";
import { expect, longCampaign, repeatedIf, test } from "./support/test";

// A product's document is written by its operator, or by someone who seized the operator's folder. A document that the
// schema refuses never becomes a page; packages/sdk/test/document.test.ts checks every field. Accepted content is shown
// here at its longest.

const markup = "<img src=/x onerror=alert(1)>";
/** Markup and a word without a break, of the maximum length in the schema. */
const longest = (most: number) => (markup + "W".repeat(most)).slice(0, most);
const [line, paragraph] = [longest(160), longest(4_000)];

function hostile(document: ProductDocument): ProductDocument {
  const texts = {
    name: longest(80),
    summary: longest(240),
    asset_class: longest(60),
    description: document.description.map(() => paragraph),
    yield_source: document.yield_source.map(() => paragraph),
  };
  const evidence = document.evidence.map((paper) => ({ ...paper, title: line, issuer: line }));
  return {
    ...document,
    ...texts,
    location: { ...document.location, name: longest(80) },
    holder: { ...document.holder, name: line, role: line },
    evidence,
    risks: document.risks.map(() => ({ title: line, text: paragraph })),
    other_income: document.other_income.map((one) => ({ ...one, reason: paragraph })),
    contract_audit: { auditor: line, date: "2026-01-01", report: `https://aqua.example/${"r".repeat(400)}` },
    translations: {
      "fr-FR": {
        ...texts,
        location: { name: longest(80) },
        holder: { name: line, role: line },
        evidence: evidence.map(() => ({ title: line, issuer: line })),
        risks: document.risks.map(() => ({ title: line, text: paragraph })),
      },
    },
  };
}

const fileOf = (shortId: string) => join(productsFolder, `${shortId}.json`);
async function write(shortId: string, text: string) {
  await writeFile(`${fileOf(shortId)}.new`, text);
  await rename(`${fileOf(shortId)}.new`, fileOf(shortId));
}
const nameOf = async (shortId: string) => (await api<Product>(`product/${shortId}`)).name;
/** Waits until the world's operator has committed to the file on chain and the server shows it. */
const expectName = (shortId: string, name: string) => expect.poll(() => nameOf(shortId)).toBe(name);

const [demand, time, refused] = ["aegean-water", "jutland-biogas", "alps-hydro"];
const original = new Map<string, string>();

test.describe("hostile documents", () => {
  test.beforeAll(async () => {
    for (const shortId of [demand, time, refused]) original.set(shortId, await readFile(fileOf(shortId), "utf8"));
    const read = (shortId: string) => productDocument.parse(JSON.parse(original.get(shortId) ?? ""));
    await write(refused, JSON.stringify({ ...read(refused), name: "Alpine\u202erewoP" }));
    for (const shortId of [demand, time]) await write(shortId, JSON.stringify(hostile(read(shortId))));
    for (const shortId of [demand, time]) await expectName(shortId, longest(80));
  });
  test.afterAll(async () => {
    for (const [shortId, text] of original) {
      await write(shortId, text);
      await expectName(shortId, JSON.parse(text).name);
    }
  });

  test("HostileDocument with marks that reorder is refused, and its product stays as it was", async () => {
    expect(await nameOf(refused)).toBe(JSON.parse(original.get(refused) ?? "").name);
  });

  for (const [language, width, other] of [
    ["en-US", 360, 1440],
    ["fr-FR", 1440, 360],
  ] as const)
    test(
      `HostileDocument is inert and readable on every page in ${language}, from ${width} px`,
      repeatedIf(language !== "en-US"),
      async ({ page }) => {
        await page.addInitScript((tag) => localStorage.setItem("app-language", tag), language);
        let alerts = 0;
        page.on("dialog", (dialog) => {
          alerts += 1;
          void dialog.dismiss();
        });
        const { items } = await api<List<Product>>("product/list?page_size=100");
        expect(items.map(({ short_id }) => short_id)).toEqual(expect.arrayContaining([demand, time]));
        // `npm run test:long` opens the pages of both kinds of product.
        const pages = (longCampaign ? [demand, time] : [demand]).flatMap((shortId) => [
          `/product/${shortId}`,
          `/product/${shortId}?tab=evidence`,
          `/product/${shortId}?tab=contracts`,
          `/liquidity/${shortId}`,
          `/performance/${shortId}`,
        ]);
        for (const path of [
          "/products",
          "/products?view=table",
          ...pages,
          "/transparency",
          "/transparency?tab=devices",
          "/home",
        ]) {
          await page.setViewportSize({ width, height: 900 });
          await page.goto(path);
          await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
          await expectLoaded(page);
          if (path !== "/home") await expect(page.getByRole("main").getByText(longest(80)).first()).toBeVisible();
          expect(await overflow(page), `${path} scrolls sideways at ${width} px`).toBe(0);
          await expect(page.locator("img[src='/x']")).toHaveCount(0);
          expect(await violations(page), path).toEqual([]);
          await page.setViewportSize({ width: other, height: 900 });
          await expect.poll(() => overflow(page), `${path} scrolls sideways at ${other} px`).toBe(0);
          expect(await violations(page), `${path} at ${other} px`).toEqual([]);
        }
        expect(alerts).toBe(0);
      },
    );
});
