import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { t } from "../src/i18n/i18n.ts";
import type { MessageKey } from "../src/i18n/keys.ts";
import { namespaces } from "../src/i18n/namespaces.ts";

const source = join(import.meta.dirname, "../src");
const folder = join(source, "i18n");

function catalog(language: string, namespace: string): Record<string, string> {
  return JSON.parse(readFileSync(join(folder, language, `${namespace}.json`), "utf8"));
}
const english = Object.assign({}, ...namespaces.map((name) => catalog("en-US", name))) as Record<string, string>;
const keys = Object.keys(english);

const code = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(join(source, file), "utf8"))
  .join("\n");

/** Keys that are written out in the code. */
const literals = new Set([...code.matchAll(/["`]([a-z]+(?:\.\w+)+)["`]/g)].map(([, key]) => key));
const templates = [...code.matchAll(/`([a-z]+(?:\.\w*)*)\$\{[^}]*\}((?:\.\w+)*)`/g)].map(([, head, tail]) => ({
  head: head ?? "",
  tail: tail ?? "",
}));
/** Prefixes of keys that are built as `${prefix}.${name}`. */
const prefixes = [...literals].filter((literal) => keys.some((key) => key.startsWith(`${literal}.`)));

function isUsed(key: string): boolean {
  return (
    literals.has(key) ||
    templates.some(({ head, tail }) => head !== "" && key.startsWith(head) && key.endsWith(tail)) ||
    prefixes.some((literal) => key.startsWith(`${literal}.`))
  );
}

describe("catalogs", () => {
  it("include every file of English as a namespace", () => {
    const files = readdirSync(join(folder, "en-US")).map((file) => file.replace(".json", ""));
    expect(files.sort()).toEqual([...namespaces].sort());
  });

  it("have each key in the namespace that loads it, and in one only", () => {
    const seen = new Map<string, string>();
    for (const namespace of namespaces)
      for (const key of Object.keys(catalog("en-US", namespace))) {
        expect(key.split(".")[0]).toBe(namespace);
        expect(seen.get(key)).toBeUndefined();
        seen.set(key, namespace);
      }
  });

  it("contain no unused text", () => {
    expect(keys.filter((key) => !isUsed(key))).toEqual([]);
  });

  it("contain every key in the code", () => {
    const named = [...code.matchAll(/\bt\(\s*"([^"]+)"/g)].map(([, key]) => key);
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((key) => key !== undefined && !keys.includes(key))).toEqual([]);
  });

  it("name cash that includes set-aside money differently from cash in the product's contract", () => {
    for (const language of ["en-US", "zh-CN", "zh-TW", "ko-KR", "fr-FR"]) {
      const texts = catalog(language, "transparency");
      expect(texts["transparency.row.cash"], language).not.toBe(texts["transparency.part.idle"]);
      expect(catalog(language, "about")["about.now.cash"], language).toBe(texts["transparency.part.idle"]);
    }
  });

  it("give a figure, an action and a reason the same name wherever it is shown", () => {
    const same = [
      ["performance.drawdown", "transact.line.loss"],
      ["liquidity.whatIf.instant", "transact.leavesNow"],
      ["liquidity.whatIf.queued", "positions.requests.value"],
      ["liquidity.p90", "about.now.wait"],
      ["liquidity.idle", "product.books.cash"],
      ["liquidity.wait.none", "positions.requests.wait.none"],
      ["positions.requests.wait", "transact.line.wait"],
      ["product.mine.deposits", "transact.mine"],
      ["product.mine.add", "positions.add"],
      ["product.notice.termless", "transact.obstacle.noTerm.title"],
      ["glossary.moneyWeighted", "positions.return"],
      ["dialog.linkedWallet", "portfolio.linked"],
      ["about.who.registry", "products.contract.product_registry"],
    ] as const;
    for (const language of ["en-US", "zh-CN", "zh-TW", "ko-KR", "fr-FR"]) {
      const of = (key: string) => catalog(language, key.split(".")[0] ?? "")[key];
      for (const [one, other] of same) expect(of(one), `${language} ${one}`).toBe(of(other));
      // An early withdrawal pays less than has accrued at the full rate.
      expect(of("transact.exit.interest"), language).not.toBe(of("positions.time.accrued"));
    }
  });

  it("show a missing key in brackets instead of failing", () => {
    expect(t("no.such.key" as MessageKey)).toBe('[missing "en-US.no.such.key" translation]');
  });

  it("fill placeholders and choose the plural", () => {
    expect(t("products.count", { shown: 1, total: 1 })).toBe("1 of 1 product");
    expect(t("products.count", { shown: 2, total: 3 })).toBe("2 of 3 products");
  });
});
