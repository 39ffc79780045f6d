import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ProductDocument, productDocument } from "@aqua/sdk/api/document";
import { languageCodes } from "@aqua/sdk/languages";
import { type Hex, keccak256 } from "viem";
import { describe, expect, it } from "vitest";
import { productsFolder } from "../src/documents.ts";
import { shortIds } from "../src/products.ts";

const translated = languageCodes.filter((code) => code !== "en-US");

const papers = join(productsFolder, "documents");
/** The texts of the documents that evidence names, by the hash of their bytes. */
const files = new Map(
  readdirSync(papers).map((name) => {
    const bytes = readFileSync(join(papers, name));
    return [keccak256(bytes), bytes.toString("utf8")];
  }),
);

/** Returns the texts that only a person can translate, by their path in the document. */
function textsOf(document: Partial<ProductDocument> | ProductDocument["translations"]["fr-FR"] = {}) {
  const { name, summary, asset_class, location, description, yield_source, holder, evidence, risks } = document;
  const texts = new Map<string, string>();
  const walk = (value: unknown, place: string) => {
    if (typeof value === "string") texts.set(place, value);
    else if (value) for (const [key, part] of Object.entries(value)) walk(part, `${place}.${key}`);
  };
  walk(
    {
      name,
      summary,
      asset_class,
      location: location?.name,
      description,
      yield_source,
      risks,
      holder: [holder?.name, holder?.role],
      evidence: evidence?.map(({ title, issuer }) => [title, issuer]),
    },
    "",
  );
  return texts;
}

describe.each(shortIds)("the document of %s", (shortId) => {
  const document = productDocument.parse(JSON.parse(readFileSync(join(productsFolder, `${shortId}.json`), "utf8")));

  it("is about this product", () => {
    expect(document.short_id).toBe(shortId);
  });

  it("says that all of it is a demonstration", () => {
    expect(document.description.at(-1)).toMatch(/demonstration.*invented/);
    expect(document.holder.name).toMatch(/\(invented\)$/);
    for (const { issuer } of document.evidence) expect(issuer).toMatch(/\(invented\)$/);
  });

  it("has a file for each document of its evidence, under the hash it publishes", () => {
    for (const { title, issuer, issued, hash } of document.evidence) {
      const text = files.get(hash as Hex);
      expect(text, title).toContain(issuer);
      expect(text).toContain(issued);
      expect(text).toMatch(/DEMONSTRATION\..*invented/);
    }
  });

  it.each(translated)("has every text in %s, none of them left in English", (language) => {
    const english = textsOf(document);
    const texts = textsOf(document.translations[language]);
    expect([...texts.keys()]).toEqual([...english.keys()]);
    const written = { "zh-CN": /\p{sc=Han}/u, "zh-TW": /\p{sc=Han}/u, "ko-KR": /\p{sc=Hangul}/u, "fr-FR": /\p{L}/u };
    for (const [place, text] of texts) {
      expect(text, place).toMatch(written[language]);
      expect(text, place).not.toBe(english.get(place));
    }
  });

  it.each(translated)("says in %s that it is invented, and keeps its figures and years", (language) => {
    const texts = textsOf(document.translations[language]);
    const invented = { "zh-CN": "（虚构）", "zh-TW": "（虛構）", "ko-KR": " (가상)", "fr-FR": " (nom fictif)" }[
      language
    ];
    for (const [place, text] of textsOf(document)) {
      const translation = texts.get(place) ?? "";
      if (text.endsWith("(invented)")) expect(translation.endsWith(invented), place).toBe(true);
      for (const figure of text.match(/\d+\.\d+|20\d\d|\d+ (?=%)/g) ?? [])
        expect(translation, place).toContain(language === "fr-FR" ? figure.trim().replace(".", ",") : figure.trim());
    }
  });

  it("has a picture that draws without text, script or anything from elsewhere", () => {
    const picture = readFileSync(join(productsFolder, document.image), "utf8");
    expect(picture).toMatch(/^<svg [^>]*viewBox="0 0 1600 1000"/);
    expect(picture).not.toMatch(/<(text|script|image|foreignObject|style|use)\b|href|\son\w+=|url\((?!#)/);
    expect(picture.length).toBeLessThan(60_000);
  });
});

it("no document or picture is left over from a product that is gone", () => {
  const known = shortIds.flatMap((shortId) => [`${shortId}.json`, `${shortId}.svg`]);
  expect(readdirSync(productsFolder).sort()).toEqual([...known, "documents"].sort());
  const named = shortIds.flatMap((shortId) => {
    const { evidence } = productDocument.parse(
      JSON.parse(readFileSync(join(productsFolder, `${shortId}.json`), "utf8")),
    );
    return evidence.map(({ hash }) => hash);
  });
  expect([...files.keys()].sort()).toEqual(named.sort());
});
