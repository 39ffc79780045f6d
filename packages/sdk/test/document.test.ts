import { describe, expect, it } from "vitest";
import { productDocument } from "../src/api/document.ts";
import { faultText, readDocument } from "../src/api/documentFile.ts";

const document = {
  short_id: "solar",
  name: "Solar",
  summary: "Pumps that run on the sun.",
  asset_class: "Irrigation",
  location: { name: "Niger", country: "NE", latitude: 13.5, longitude: 2.1 },
  image: "solar.svg",
  description: ["Water for fields."],
  yield_source: ["Sold by the cubic metre."],
  holder: { name: "Sahel Works", role: "Owner", country: "NE" },
  evidence: [
    { title: "Permit", issuer: "Ministry", issued: "2024-05-01", expires: null, hash: `0x${"cd".repeat(32)}` },
  ],
  risks: [{ title: "Drought", text: "No water, no income." }],
};
const problems = (translations: object) =>
  productDocument.safeParse({ ...document, translations }).error?.issues.map(({ path }) => path.join(".")) ?? [];

describe("a product document", () => {
  it("needs no translations", () => {
    expect(productDocument.parse(document).translations).toEqual({});
  });

  it("accepts translations of some texts into some languages", () => {
    expect(problems({ "fr-FR": { name: "Solaire", evidence: [{ title: "Permis" }] }, "ko-KR": {} })).toEqual([]);
  });

  it("refuses evidence whose file has no hash, since nobody could check it", () => {
    const [paper] = document.evidence;
    for (const hash of [null, "", "0x12", "cd".repeat(32)])
      expect(productDocument.safeParse({ ...document, evidence: [{ ...paper, hash }] }).success, String(hash)).toBe(
        false,
      );
  });

  it("refuses languages Aqua does not support, and a second English", () => {
    expect(problems({ "de-DE": { name: "Sonne" } })).toEqual(["translations"]);
    expect(problems({ "en-US": { name: "Sun" } })).toEqual(["translations"]);
  });

  it("refuses texts that are never shown: unknown fields, empty texts, facts without a language", () => {
    expect(problems({ "fr-FR": { titel: "Solaire" } })).toEqual(["translations.fr-FR"]);
    expect(problems({ "fr-FR": { name: "" } })).toEqual(["translations.fr-FR.name"]);
    expect(problems({ "fr-FR": { evidence: [{ title: "Permis", hash: "0x1" }] } })).toEqual([
      "translations.fr-FR.evidence.0",
    ]);
  });

  it("refuses text that reorders what is shown around it", () => {
    expect(problems({ "fr-FR": { name: "Sol\u202eeria" } })).toEqual(["translations.fr-FR.name"]);
    expect(productDocument.safeParse({ ...document, name: "\u2067Solar" }).success).toBe(false);
  });

  it("refuses control characters, which a terminal or a log would obey", () => {
    for (const control of ["\u001b[2J", "\u0007", "\u009b31m", "\u007f"]) {
      expect(productDocument.safeParse({ ...document, name: `Solar${control}` }).success).toBe(false);
    }
    expect(productDocument.safeParse({ ...document, description: ["One line\nand another"] }).success).toBe(true);
  });

  it("is offered everywhere unless it names countries, each by its code and once", () => {
    const closed = (closed_to: unknown) => productDocument.safeParse({ ...document, closed_to });
    expect(productDocument.parse(document).closed_to).toEqual([]);
    expect(closed(["US", "KP"]).data?.closed_to).toEqual(["US", "KP"]);
    for (const wrong of [["us"], ["XX"], ["United States"], ["US", "US"], "US"]) {
      expect([wrong, closed(wrong).success]).toEqual([wrong, false]);
    }
  });

  it("is of contracts that were not audited unless it names auditor, day and report", () => {
    const audited = (contract_audit: unknown) => productDocument.safeParse({ ...document, contract_audit });
    const audit = { auditor: "Tide Security", date: "2026-03-01", report: "https://tide.example/aqua.pdf" };
    expect(productDocument.parse(document).contract_audit).toBeNull();
    expect(audited(audit).data?.contract_audit).toEqual(audit);
    for (const wrong of [{}, { ...audit, date: "March" }, { ...audit, report: "javascript:alert(1)" }, "yes"]) {
      expect([wrong, audited(wrong).success]).toEqual([wrong, false]);
    }
  });

  it("has the same risks and papers in every translation", () => {
    const risk = { title: "Sécheresse", text: "Pas d’eau, pas de revenus." };
    expect(problems({ "fr-FR": { risks: [] } })).toEqual(["translations.fr-FR.risks"]);
    expect(problems({ "fr-FR": { risks: [risk, risk] } })).toEqual(["translations.fr-FR.risks"]);
    expect(problems({ "fr-FR": { description: ["De l’eau.", "Et encore."] } })).toEqual([
      "translations.fr-FR.description",
    ]);
  });
});

describe("the file of a product document", () => {
  const faults = (text: string) => {
    const { faults, unknown } = readDocument(text);
    return [...faults, ...unknown].map(faultText);
  };
  const written = (change: object) => JSON.stringify({ ...document, ...change }, null, 1);

  it("is read with its lines", () => {
    expect(readDocument(written({}))).toEqual({ document: productDocument.parse(document), faults: [], unknown: [] });
  });

  it("is refused with line and path of each place where it is wrong", () => {
    const found = faults(written({ risks: [{ title: "Drought" }], image: "../solar.svg" }));
    expect(found).toEqual([
      expect.stringMatching(/^line 12, image: /),
      expect.stringMatching(/^line 34, risks\.0\.text: /),
    ]);
    expect(faults("[]")).toEqual([expect.stringMatching(/^line 1: /)]);
    expect(faults("{\n}}")).toEqual(["line 2: unexpected }"]);
  });

  it("names fields that nothing reads, as a misspelt name is", () => {
    expect(faults(written({ incom: null }))).toEqual([
      expect.stringMatching(/^line \d+, incom: is no field of a product's document$/),
    ]);
    expect(faults(written({ translations: { "fr-FR": { titel: "Solaire" } } }))).toEqual([
      expect.stringMatching(/^line \d+, translations\.fr-FR\.titel: is no field of a product's document$/),
    ]);
  });
});

describe("a hostile product document", () => {
  const texts = {
    name: "Soleil",
    summary: "Résumé.",
    asset_class: "Irrigation",
    location: { name: "Niger" },
    description: ["Eau."],
    yield_source: ["Vendue."],
    holder: { name: "Sahel", role: "Propriétaire" },
    evidence: [{ title: "Permis", issuer: "Ministère" }],
    risks: [{ title: "Sécheresse", text: "Sans eau." }],
    other_income: [{ reason: "Assurance" }],
  };
  const full = {
    ...document,
    contract_audit: { auditor: "Auditor", date: "2025-01-01", report: "https://aqua.example/report" },
    closed_to: ["US"],
    income: { id: "energy-sold", version: 1, price: "0.1", share: "0.5", financed: "100" },
    other_income: [{ amount: "1", reason: "Insurance" }],
    translations: { "fr-FR": texts },
  };
  type Json = string | number | null | Json[] | { [name: string]: Json };
  /** Returns the path of each text in the document. */
  const textPathsOf = (value: Json, path: readonly string[] = []): (readonly string[])[] =>
    typeof value === "string"
      ? [path]
      : value === null || typeof value === "number"
        ? []
        : Object.entries(value).flatMap(([name, one]) => textPathsOf(one, [...path, name]));
  const withText = (path: readonly string[], text: string): string => {
    const changed = structuredClone(full) as Record<string, unknown>;
    const last = path.at(-1) ?? "";
    const within = path.slice(0, -1).reduce((one, name) => one[name] as Record<string, unknown>, changed);
    within[last] = text;
    return JSON.stringify(changed, null, 2);
  };
  const places = textPathsOf(full as Json).map((path) => [path.join("."), path] as const);

  it("stands on one that is taken", () => {
    expect(readDocument(JSON.stringify(full))).toMatchObject({ faults: [], unknown: [] });
    expect(places.length).toBeGreaterThan(35);
  });

  it.each(places)(
    "readDocument refuses in %s what reorders, controls, or has 10,000 characters, and says where",
    (name, path) => {
      for (const text of [
        "Sol\u202eeria",
        "\u2067Solar",
        "Sol\u001b[2Jar",
        "W".repeat(10_000),
        "9".repeat(10_000),
        "\u0000",
        "",
      ]) {
        const { document: read, faults } = readDocument(withText(path, text));
        expect([text.slice(0, 12), read]).toEqual([text.slice(0, 12), null]);
        expect(faults[0]?.line).toBeGreaterThan(1);
        expect(faults[0]?.path.startsWith(name) || name.startsWith(faults[0]?.path ?? "?")).toBe(true);
      }
    },
  );

  it.each(["location.country", "holder.country"])(
    "readDocument refuses in %s what is no country, which no page could name",
    (name) => {
      for (const code of ["<b", "xx", "  ", '1"'])
        expect(readDocument(withText(name.split("."), code)).document).toBeNull();
    },
  );

  it("readDocument refuses lists of thousands of items", () => {
    for (const list of ["description", "yield_source", "evidence", "risks", "other_income"] as const) {
      const many = { ...full, translations: {}, [list]: Array(5_000).fill(full[list][0]) };
      expect([list, readDocument(JSON.stringify(many)).document]).toEqual([list, null]);
    }
  });
});
