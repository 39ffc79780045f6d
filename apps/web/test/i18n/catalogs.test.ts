import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage";
import { describe, expect, it } from "vitest";
import { languages } from "../../src/i18n/languages.ts";
import { namespaces } from "../../src/i18n/namespaces.ts";

const folder = join(import.meta.dirname, "../../src/i18n");
const folders = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name.includes("-"))
  .map((entry) => entry.name);

const mailFolder = join(import.meta.dirname, "../../../server/src/mail/texts");
/** The catalogs of each language: those of the web app, and the texts of the server's mails. */
const names = [...namespaces, "mail"];

function catalog(language: string, name: string): Record<string, string> {
  const file = name === "mail" ? join(mailFolder, `${language}.json`) : join(folder, language, `${name}.json`);
  return JSON.parse(readFileSync(file, "utf8"));
}

type Placeholder = [name: string, kind?: string, choices?: Record<string, unknown>];

/** Every placeholder of a message, at any depth. Throws on invalid ICU. */
function values(message: string): Placeholder[] {
  const of = (compiled: unknown): Placeholder[] => {
    if (!Array.isArray(compiled)) return [];
    return compiled.filter(Array.isArray).flatMap((token) => {
      const [, , choices] = token as Placeholder;
      return [token as Placeholder, ...(typeof choices === "object" ? Object.values(choices).flatMap(of) : [])];
    });
  };
  return of(compileMessageOrThrow(message));
}

/** Names and kinds of the placeholders, such as "count plural", without duplicates. */
function placeholders(message: string): string[] {
  return [...new Set(values(message).map(([name, kind]) => `${name} ${kind ?? "as it is"}`))].sort();
}

it("every language of the specification can be chosen, by its own name", () => {
  expect(languages).toEqual({
    "en-US": "English",
    "zh-CN": "简体中文",
    "zh-TW": "繁體中文",
    "ko-KR": "한국어",
    "fr-FR": "Français",
  });
  expect(folders.sort()).toEqual(Object.keys(languages).sort());
});

describe.each(Object.keys(languages))("texts in %s", (language) => {
  it.each(names.map((name) => [name]))("%s has the keys of English, in its order", (namespace) => {
    expect(Object.keys(catalog(language, namespace))).toEqual(Object.keys(catalog("en-US", namespace)));
  });

  it.each(names.map((name) => [name]))("%s has the placeholders of English, in valid ICU", (namespace) => {
    const texts = catalog(language, namespace);
    for (const [key, message] of Object.entries(catalog("en-US", namespace))) {
      const said = texts[key] ?? "";
      expect(said.trim(), key).not.toBe("");
      expect(placeholders(said), key).toEqual(placeholders(message));
    }
  });

  it("say of a winding down that principal is repaid before interest, as the contract does", () => {
    const [principal, interest] = {
      "en-US": ["principal", "interest"],
      "zh-CN": ["本金", "利息"],
      "zh-TW": ["本金", "利息"],
      "ko-KR": ["원금", "이자"],
      "fr-FR": ["capital", "intérêts"],
    }[language] as [string, string];
    const texts = { ...catalog(language, "product"), ...catalog(language, "transact"), ...catalog(language, "mail") };
    for (const key of [
      ...["product.notice.windingDown.text", "transact.draw.text", "transact.demand.text"],
      ...["transact.demand.againText", "winding_down.text.2"],
    ]) {
      const text = (texts[key] ?? "").toLowerCase();
      expect(text, key).toContain(principal);
      expect(text.indexOf(interest), key).toBeGreaterThan(text.indexOf(principal));
    }
  });

  it("have a plural form for every category their numbers can fall in", () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const namespace of names)
      for (const [key, message] of Object.entries(catalog(language, namespace)))
        for (const [, kind, choices] of values(message))
          if (kind === "plural") {
            const given = Object.keys(choices ?? {});
            expect(given, key).toContain("other");
            // French "many" is for millions, for which "other" has the same text.
            if (categories.includes("one")) expect(given.includes("one") || given.includes("1"), key).toBe(true);
          }
  });
});

it("two placeholders of different kinds are not treated as the same", () => {
  expect(placeholders("{n} and {n, plural, one {# day} other {# days of {m}}}")).toEqual([
    "m as it is",
    "n as it is",
    "n plural",
  ]);
  expect(() => placeholders("{n, plural, one {day}")).toThrow();
});
