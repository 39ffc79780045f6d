import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ProductDocument, productDocument } from "@aqua/sdk/api/document";
import { describe, expect, it } from "vitest";
import { type Language, languages } from "../../src/i18n/languages.ts";
import { documentOffences, offences, paragraphsOf } from "./voice.ts";

const root = join(import.meta.dirname, "../../../..");
const products = join(root, "devnet/products");
const legal = join(root, "devnet/legal");
const codes = Object.keys(languages) as Language[];

/** The texts that a person writes in a product's document, by their path in it. */
function textsOf({
  name,
  summary,
  asset_class,
  location,
  description,
  yield_source,
  holder,
  evidence,
  risks,
  other_income,
}: Partial<ProductDocument>): [path: string, text: string][] {
  const texts: [string, string][] = [];
  const add = (path: string, value: unknown) => {
    if (typeof value === "string") texts.push([path, value]);
    else if (value) for (const [key, part] of Object.entries(value)) add(`${path}.${key}`, part);
  };
  add("name", name);
  add("summary", summary);
  add("asset_class", asset_class);
  add("location", location?.name);
  add("description", description);
  add("yield_source", yield_source);
  add("holder", [holder?.name, holder?.role]);
  add(
    "evidence",
    evidence?.map(({ title, issuer }) => [title, issuer]),
  );
  add("risks", risks);
  add(
    "other_income",
    other_income?.map(({ reason }) => reason),
  );
  return texts;
}

describe.each(codes)("the voice of %s", (language) => {
  const documents = readdirSync(products).filter((file) => file.endsWith(".json"));

  it.each(documents)("is followed by every text of %s", (file) => {
    const document = productDocument.parse(JSON.parse(readFileSync(join(products, file), "utf8")));
    const texts = textsOf(
      language === "en-US" ? document : ((document.translations[language] ?? {}) as Partial<ProductDocument>),
    );
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.flatMap(([path, text]) => offences(language, text).map((fault) => `${path} · ${fault}`))).toEqual([]);
  });

  it("is followed by the legal texts of the demo", () => {
    const files = readdirSync(legal).filter((file) => file.endsWith(`.${language}.md`));
    expect(files).toHaveLength(4);
    const faults = files.flatMap((file) =>
      paragraphsOf(readFileSync(join(legal, file), "utf8"), true).flatMap((text) =>
        offences(language, text).map((fault) => `${file} · ${fault} · ${text.slice(0, 60)}`),
      ),
    );
    expect(faults).toEqual([]);
  });
});

describe("the voice of the documents", () => {
  const files = ["README.md", ...globSync("docs/**/*.md", { cwd: root })].map((file) => file.replaceAll("\\", "/"));

  it("is tested in the README and every page of the documentation", () => {
    expect(files.length).toBeGreaterThan(20);
  });

  it.each(files)("is followed by %s", (file) => {
    const reader = file === "README.md" || file.startsWith("docs/depositors/") ? "saver" : "engineer";
    expect(documentOffences(readFileSync(join(root, file), "utf8"), reader)).toEqual([]);
  });
});

it("a document that breaks a rule is found", () => {
  expect(documentOffences("The money stands in the vault.", "saver")).toEqual([
    "banned: stands: The money stands in the vault.",
    "second name: vault for product, contract: The money stands in the vault.",
  ]);
  expect(documentOffences("The server counts.\n\n| Nobody | `tells` |", "engineer")).toEqual([]);
  expect(documentOffences("| Nobody | `tells` |", "saver")).toEqual(["banned: Nobody: Nobody"]);
  expect(documentOffences(`${"word ".repeat(26)}.`, "saver")).toHaveLength(1);
  expect(documentOffences(`${"word ".repeat(26)}.`, "engineer")).toEqual([]);
  expect(documentOffences(`${"word ".repeat(36)}.`, "engineer")).toHaveLength(1);
});

it("code, quotes and links are not prose", () => {
  const text = '# Title\n\n```\nnobody\n```\n\n- See [the docs](a.md) and `x y`.\n- "It stands" is a quote.\n> nobody';
  expect(paragraphsOf(text, false)).toEqual(["# Title", "- See the docs and code.", "- quote is a quote."]);
});
