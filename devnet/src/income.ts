import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ProductDocument, productDocument } from "@aqua/sdk/api/document";
import { parseUnits } from "@aqua/sdk/maths/units";
import { type IncomeTerms, incomeOf, termsOf } from "@aqua/sdk/telemetry/income";
import { productsFolder } from "./documents.ts";
import { DOLLAR_DECIMALS } from "./products.ts";

const known = new Map<string, IncomeTerms>();

/** Returns the income rule in the document of a demand deposit. */
export function incomeTerms(shortId: string): IncomeTerms {
  const terms = known.get(shortId) ?? readTerms(shortId);
  known.set(shortId, terms);
  return terms;
}

function documentOf(shortId: string): ProductDocument {
  return productDocument.parse(JSON.parse(readFileSync(join(productsFolder, `${shortId}.json`), "utf8")));
}

function readTerms(shortId: string): IncomeTerms {
  const { income } = documentOf(shortId);
  if (income === null) throw new Error(`The document of ${shortId} does not say how its income is counted.`);
  return termsOf(income, DOLLAR_DECIMALS);
}

/**
 * Returns the gain of a product that holds `assets` (smallest units), for the total count of its registers, 18
 * decimals.
 */
export function gainFor(shortId: string, counted: bigint, assets: bigint): bigint {
  return incomeOf(incomeTerms(shortId), counted, assets).gain;
}

/** Returns the total income from the product's document that no meter counts, smallest units. */
export function otherIncome(shortId: string): bigint {
  return documentOf(shortId).other_income.reduce((all, { amount }) => all + parseUnits(amount, DOLLAR_DECIMALS), 0n);
}
