import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mailTexts } from "../../../server/src/mail/texts.ts";
import { type Language, languages } from "../../src/i18n/languages.ts";
import { namespaces } from "../../src/i18n/namespaces.ts";
import { glossary, offences, prose } from "./voice.ts";
import { exceptions, glossaryExceptions } from "./voice-exceptions.ts";

const folder = join(import.meta.dirname, "../../src/i18n");
const codes = Object.keys(languages) as Language[];

function texts(language: Language): Record<string, string> {
  return Object.assign(
    {},
    ...namespaces.map((name) => JSON.parse(readFileSync(join(folder, language, `${name}.json`), "utf8"))),
  );
}

/** Every text below a value, by the path that leads to it. */
function leaves(value: unknown, path: string): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}.${name}`));
}

describe.each(codes)("the voice of %s", (language) => {
  const all = [...Object.entries(texts(language)), ...leaves(mailTexts[language], "mail")];
  const offending = all.filter(([, message]) => offences(language, message).length > 0);
  const excepted = new Set<string>(exceptions[language]);

  it("is kept by every text of the site and the mails", () => {
    const found = offending.filter(([key]) => !excepted.has(key));
    expect(found.map(([key, message]) => [key, ...offences(language, message)].join(" · "))).toEqual([]);
  });

  it("has no exception that no longer offends", () => {
    const keys = new Set(offending.map(([key]) => key));
    expect([...excepted].filter((key) => !keys.has(key))).toEqual([]);
  });
});

it("a term of the glossary has one word in each language, except where it is listed", () => {
  const english = Object.entries(texts("en-US"));
  const wrong = codes.flatMap((language) => {
    if (language === "en-US") return [];
    const translated = texts(language);
    return english.flatMap(([key, term]) => {
      const wanted = glossary[term]?.[language];
      return wanted === undefined || translated[key] === wanted ? [] : [`${language} ${key}`];
    });
  });
  expect(wrong.sort()).toEqual([...glossaryExceptions].sort());
});

it("a text that breaks a rule is found in every language", () => {
  expect(offences("en-US", "Your new password counts")).toEqual(["banned: counts"]);
  expect(offences("en-US", `${"word ".repeat(26)}.`)).toEqual(["more than 25 words"]);
  expect(offences("en-US", "{count, plural, one {# product} other {# products}}")).toEqual([]);
  expect(offences("zh-CN", "为您留出")).toEqual(["banned: 您"]);
  expect(offences("zh-TW", "你的商品")).toEqual(["banned: 你"]);
  expect(offences("ko-KR", "회원님 몫")).toEqual(["banned: 회원님"]);
  expect(offences("fr-FR", "Il tient à vous")).toEqual(["banned: tient"]);
  expect(offences("fr-FR", "Il détient 5\u202f%\u00a0: «\u00a0oui\u00a0»")).toEqual([]);
  expect(offences("fr-FR", "Pas de compte ?")).toEqual(["spacing"]);
});

it("placeholders and plurals are read as words", () => {
  expect(prose("{n} of {count, plural, one {# day} other {# days}}").split(/\s+/).filter(Boolean)).toEqual([
    "0",
    "of",
    "#",
    "day",
    "#",
    "days",
  ]);
});
