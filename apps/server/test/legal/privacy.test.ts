import { readFileSync } from "node:fs";
import { join } from "node:path";
import { legalNames } from "@aqua/sdk/api/rules";
import { YEAR_MS } from "@aqua/sdk/durations";
import { languageCodes } from "@aqua/sdk/languages";
import { describe, expect, it } from "vitest";
import { CODE_KEPT_MS, CODE_MINUTES } from "../../src/account/codes.ts";
import { limitRules } from "../../src/account/limits.ts";
import { EVENTS_MS } from "../../src/account/securityEvents.ts";
import { LIFE_MS } from "../../src/account/sessions.ts";
import { readConfig } from "../../src/config.ts";
import { ANSWER_KEPT_MS } from "../../src/idempotency/once.ts";
import { DOCUMENT_DAYS } from "../../src/identity/decisions.ts";
import { tries } from "../../src/identity/service.ts";
import { ABANDONED_MS } from "../../src/instance.ts";
import { OUTBOX_MS } from "../../src/mail/feature.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const folder = readConfig({ RPC_URL_31337: "http://127.0.0.1:8545", DEMO_MODE: "1" }).legalDir ?? "";
const read = (file: string) => readFileSync(join(folder, file), "utf8");

/** Retention periods in the code that deletes the data, in the order of the text. */
const kept = [
  DOCUMENT_DAYS * day,
  LIFE_MS,
  EVENTS_MS,
  YEAR_MS,
  // The language's cookie: apps/web/src/i18n/i18n.ts.
  365 * day,
  CODE_MINUTES * minute,
  CODE_KEPT_MS,
  Math.max(...[...Object.values(limitRules), tries].map(({ windowMs }) => windowMs)),
  OUTBOX_MS,
  ABANDONED_MS,
  ANSWER_KEPT_MS,
];

const units = [
  [/^(minutes?|分钟|分鐘|분)$/, minute],
  [/^(days?|天|일|jours?)$/, day],
  [/^(years?|年|년|ans?)$/, 365 * day],
] as const;
const duration = /(\d+)\s*(minutes?|分钟|分鐘|분|days?|天|일|jours?|years?|年|년|ans?)(?![a-z])/g;

describe.each(languageCodes)("the demo's texts in %s", (language) => {
  it("name every storage period of the code, and no other number", () => {
    const text = read(`privacy.${language}.md`);
    const named = [...text.matchAll(duration)].map(
      ([, count, unit = ""]) => Number(count) * (units.find(([words]) => words.test(unit))?.[1] ?? Number.NaN),
    );
    expect(named).toEqual(kept);
    expect(text.replaceAll(duration, "")).not.toMatch(/\d/);
  });

  it.each(legalNames)("contain %s, without HTML and without a link to nowhere", (name) => {
    const text = read(`${name}.${language}.md`);
    expect(text.trim()).not.toBe("");
    expect(text).not.toMatch(/[<>]|\]\(/);
  });
});
