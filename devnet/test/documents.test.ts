import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { productDocument } from "@aqua/sdk/api/document";
import { describe, expect, it } from "vitest";
import { productsFolder } from "../src/documents.ts";
import { devnetProducts } from "../src/products.ts";

describe.each(devnetProducts.map(({ shortId }) => shortId))("the document of %s", (shortId) => {
  const document = productDocument.parse(JSON.parse(readFileSync(join(productsFolder, `${shortId}.json`), "utf8")));

  it("is about this product", () => {
    expect(document.short_id).toBe(shortId);
  });

  it("says that all of it is a demonstration", () => {
    expect(document.description.at(-1)).toMatch(/demonstration.*invented/);
    expect(document.holder.name).toMatch(/\(invented\)$/);
    for (const { issuer } of document.evidence) expect(issuer).toMatch(/\(invented\)$/);
  });

  it("has a picture that draws without text, script or anything from elsewhere", () => {
    const picture = readFileSync(join(productsFolder, document.image), "utf8");
    expect(picture).toMatch(/^<svg [^>]*viewBox="0 0 1600 1000"/);
    expect(picture).not.toMatch(/<(text|script|image|foreignObject|style|use)\b|href|\son\w+=|url\((?!#)/);
    expect(picture.length).toBeLessThan(60_000);
  });
});

it("no document or picture is left over from a product that is gone", () => {
  const known = devnetProducts.flatMap(({ shortId }) => [`${shortId}.json`, `${shortId}.svg`]);
  expect(readdirSync(productsFolder).sort()).toEqual(known.sort());
});
