import { z } from "zod";
import { countryCodes } from "../countries.ts";
import { languageCodes } from "../languages.ts";
import { incomeMetricNames } from "../telemetry/income.ts";
import { amount, rate, shortId } from "./envelope.ts";
import { shownText } from "./text.ts";

const name = shownText.min(1).max(80);
const summary = shownText.min(1).max(240);
const assetClass = shownText.min(1).max(60);
const placeName = shownText.min(1).max(80);
/** A title, a name or a role. Pages show it in full. */
const line = shownText.min(1).max(160);
const paragraph = shownText.min(1).max(4_000);
/** Maximum number of digits. An amount on chain has at most 78. */
const DIGITS = 80;
/** Maximum number of items. No page could show more, so a longer list is a mistake. */
const MOST_ITEMS = 100;
const paragraphs = z.array(paragraph).max(MOST_ITEMS);
const country = z
  .string()
  .refine((code) => countryCodes.includes(code), "Must be a country's code of two capital letters, such as FR");

/**
 * The texts of a document in another language, in the document's shape. A missing text is shown in English. Lists are
 * translated item by item, so a translation can neither drop nor add a paragraph, a paper or a risk.
 */
const translation = z.strictObject({
  name: name.exactOptional(),
  summary: summary.exactOptional(),
  asset_class: assetClass.exactOptional(),
  location: z.strictObject({ name: placeName }).exactOptional(),
  description: paragraphs.exactOptional(),
  yield_source: paragraphs.exactOptional(),
  holder: z.strictObject({ name: line.exactOptional(), role: line.exactOptional() }).exactOptional(),
  evidence: z.array(z.strictObject({ title: line.exactOptional(), issuer: line.exactOptional() })).exactOptional(),
  risks: z.array(z.strictObject({ title: line.exactOptional(), text: paragraph.exactOptional() })).exactOptional(),
  other_income: z.array(z.strictObject({ reason: paragraph.exactOptional() })).exactOptional(),
});

/**
 * The formula of income from devices. `price` (in the asset) is paid for each unit that the registers of `id` count.
 * `share` is the part of the proceeds that belongs to those who financed the asset. `financed` is what the asset cost
 * them. A report's gain is ⌊proceeds × share × total assets / financed⌋; see `incomeOf` in telemetry/income.ts.
 */
export const incomeMetric = z.strictObject({
  id: z.enum(incomeMetricNames),
  version: z.literal(1),
  price: amount.max(DIGITS),
  share: rate.max(DIGITS),
  financed: amount.max(DIGITS),
});
export type IncomeMetric = z.infer<typeof incomeMetric>;

/** keccak-256 of a file's bytes. Required, because a document without it could be exchanged unnoticed. */
const fileHash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/, "Must be the keccak-256 of the document's file, 0x and 64 digits");

/** Content types of the documents that evidence may name, by file ending. A browser runs none of them. */
export const evidenceTypes: Readonly<Record<string, string>> = {
  ".txt": "text/plain; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".pdf": "application/pdf",
};
/** Larger files are not served. */
export const MAX_EVIDENCE_BYTES = 10 * 1024 * 1024;

const [, ...others] = languageCodes;

/** ISO 3166-1 alpha-2 codes without duplicates. */
export const closedTo = z
  .array(country)
  .refine((codes) => new Set(codes).size === codes.length, "Names a country twice");

/**
 * The document that an operator publishes for a product, in English. The keccak-256 of its exact bytes, translations
 * included, must equal the registry's metadata hash, so that only texts committed to on chain are shown.
 */
export const productDocument = z
  .object({
    short_id: shortId,
    name,
    summary,
    asset_class: assetClass,
    location: z.object({
      name: placeName,
      country,
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
    }),
    image: z
      .string()
      .max(80)
      .regex(/^[a-z0-9-]+\.svg$/),
    description: paragraphs.min(1),
    yield_source: paragraphs.min(1),
    holder: z.object({ name: line, role: line, country }),
    evidence: z
      .array(
        z.object({
          title: line,
          issuer: line,
          issued: z.iso.date(),
          expires: z.iso.date().nullable(),
          hash: fileHash,
        }),
      )
      .max(MOST_ITEMS),
    risks: z
      .array(z.object({ title: line, text: paragraph }))
      .min(1)
      .max(MOST_ITEMS),
    /**
     * The audit of the contracts that hold the money, with its report. Without it the product is shown as not audited.
     */
    contract_audit: z
      .strictObject({ auditor: line, date: z.iso.date(), report: z.url({ protocol: /^https$/ }).max(500) })
      .nullable()
      .default(null),
    /**
     * Countries to whose residents the product is not offered. Pages show them before a visitor types anything.
     * Deposits are not rejected because of them.
     */
    closed_to: closedTo.default([]),
    income: incomeMetric.nullable().default(null),
    /**
     * Income that no meter counts. A report that claims exactly `amount` (in the asset) more than its readings account
     * for is shown with this `reason`.
     */
    other_income: z
      .array(z.object({ amount: amount.max(DIGITS), reason: paragraph }))
      .max(1_000)
      .default([]),
    translations: z.partialRecord(z.enum(others), translation).default({}),
  })
  .superRefine((document, context) => {
    for (const [language, texts] of Object.entries(document.translations))
      for (const list of ["description", "yield_source", "evidence", "risks", "other_income"] as const)
        if (texts[list] && texts[list].length !== document[list].length)
          context.addIssue({
            code: "custom",
            path: ["translations", language, list],
            message: `Has ${texts[list].length} items, the English list ${document[list].length}`,
          });
  });
export type ProductDocument = z.infer<typeof productDocument>;
