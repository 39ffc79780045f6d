import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Language, languages } from "../../src/i18n/languages.ts";
import { namespaces } from "../../src/i18n/namespaces.ts";
import { usageIn } from "./usage.ts";
import { glossary, hasUnit, lengthOf, longest, lostUnits, offences, prose } from "./voice.ts";
import { exceptions, glossaryExceptions, lengthExceptions } from "./voice-exceptions.ts";

const folder = join(import.meta.dirname, "../../src/i18n");
const codes = Object.keys(languages) as Language[];

function texts(language: Language): Record<string, string> {
  return Object.assign(
    {},
    ...namespaces.map((name) => JSON.parse(readFileSync(join(folder, language, `${name}.json`), "utf8"))),
  );
}

/** The texts of the server's mails. */
function mailTexts(language: Language): Record<string, string> {
  const mails = join(import.meta.dirname, "../../../server/src/mail/texts");
  return JSON.parse(readFileSync(join(mails, `${language}.json`), "utf8"));
}

describe.each(codes)("the voice of %s", (language) => {
  const all = [...Object.entries(texts(language)), ...Object.entries(mailTexts(language))];
  const offending = all.filter(([, message]) => offences(language, message).length > 0);
  const excepted = new Set<string>(exceptions[language]);

  it("is followed by every text of the site and the mails", () => {
    const found = offending.filter(([key]) => !excepted.has(key));
    expect(found.map(([key, message]) => [key, ...offences(language, message)].join(" · "))).toEqual([]);
  });

  it("has no exception that is no longer needed", () => {
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

describe("where the code uses its texts", () => {
  const usage = usageIn(join(folder, ".."));

  it.each([
    ["button", usage.buttons, 90],
    ["label", usage.labels, 190],
  ] as const)("a %s is short in each language, except where it is listed", (kind, keys, least) => {
    expect(keys.size).toBeGreaterThanOrEqual(least);
    const limits = Object.entries(longest[kind]) as [Language, number][];
    const long = limits.flatMap(([language, limit]) => {
      const all = texts(language);
      return [...keys].filter((key) => lengthOf(language, all[key] ?? "") > limit).map((key) => `${language} ${key}`);
    });
    expect(long.sort()).toEqual([...lengthExceptions[kind]].sort());
  });

  it("an amount that is filled in without its unit has it beside it", () => {
    const english = texts("en-US");
    expect(usage.bareAmounts.size).toBeGreaterThan(20);
    const bare = [...usage.bareAmounts].filter((place) => {
      const [key = "", name = ""] = place.split(" ");
      return !hasUnit(english[key] ?? "", name);
    });
    expect(bare).toEqual([]);
  });
});

it("an amount has its unit beside it in every language", () => {
  const english = texts("en-US");
  const lost = codes.flatMap((language) => {
    const all = texts(language);
    return Object.entries(english).flatMap(([key, message]) =>
      lostUnits(message, all[key] ?? "").map((pair) => `${language} ${key} ${pair}`),
    );
  });
  expect(lost).toEqual([]);
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

it("a second name of a thing is found in every language", () => {
  expect(offences("en-US", "Sign in by mail")).toEqual([
    "banned: Sign in",
    "second name: Sign in for log in",
    "second name: mail for e-mail",
  ]);
  expect(offences("en-US", "An early exit of the vault")).toEqual([
    "second name: early exit for withdraw, early withdrawal",
    "second name: vault for product, contract",
  ]);
  expect(offences("en-US", "Your e-mails, {claims} and {mail}")).toEqual([]);
  expect(offences("zh-CN", "披露的收益")).toEqual(["second name: 披露 for 报告"]);
  expect(offences("zh-TW", "身份")).toEqual(["second name: 身份 for 身分"]);
  expect(offences("ko-KR", "증서와 예치증서")).toEqual(["second name: 증서 for 예치증서"]);
  expect(offences("fr-FR", "Lier votre portefeuille")).toEqual(["second name: Lier for associer"]);
});

it("the length of a text is that of its longest branch, without its values", () => {
  expect(lengthOf("en-US", "Compare {count, plural, one {# product} other {# products}}")).toBe(
    "Compare products".length,
  );
  expect(lengthOf("en-US", "Collect {amount}")).toBe("Collect".length);
  expect(lengthOf("zh-CN", "比较 {count, plural, other {# 款产品}}")).toBe(5);
  expect(lengthOf("ko-KR", "{amount} ETH 출금하기")).toBe(4);
});

it("an amount that loses its unit is found", () => {
  expect(lostUnits("Collect {amount} {unit}", "{amount}\u00a0{unit} encaissés")).toEqual([]);
  expect(lostUnits("Collect {amount} {unit}", "{unit} : {amount}")).toEqual(["{amount} {unit}"]);
  expect(hasUnit("{amount} available now", "amount")).toBe(false);
  expect(hasUnit("{pending} of {shares} shares", "pending")).toBe(true);
});

it("placeholders and plurals count as words", () => {
  expect(prose("{n} of {count, plural, one {# day} other {# days}}").split(/\s+/).filter(Boolean)).toEqual([
    "0",
    "of",
    "#",
    "day",
    "#",
    "days",
  ]);
});

const performanceFee: Record<Language, string> = {
  "en-US": "performance fee",
  "zh-CN": "业绩报酬",
  "zh-TW": "績效費",
  "ko-KR": "성과 수수료",
  "fr-FR": "commission de performance",
};

it.each(codes)("pages and mails of %s call the performance fee and the identity verifier the same", (language) => {
  const site = texts(language);
  const mails = mailTexts(language);
  const named = (word: string | undefined, sentences: readonly (string | undefined)[]) => {
    for (const sentence of sentences) expect(sentence?.toLowerCase()).toContain(word?.toLowerCase());
  };
  named(performanceFee[language], [
    ...["announcements.fee", "transparency.call.setTreasury", "product.fees.note", "about.fees.performance"].map(
      (key) => site[key],
    ),
    ...["fee_change.subject", "fee_change.text.1"].map((key) => mails[key]),
  ]);
  named(site["transparency.role.attester"], [
    ...["recovery.text", "emails.about.recoveries"].map((key) => site[key]),
    ...["recovery_proposed.subject", "recovery_proposed.text.1", "recovery_pending.text.1"].map((key) => mails[key]),
  ]);
});
