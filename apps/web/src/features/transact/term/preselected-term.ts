import type { TermOffer, TimeDetail } from "@aqua/sdk/api/product";

/** The term a deposit starts with, whose rate is the product's headline: of the open ones the one the product names. */
export function preselectedTerm({ term, terms }: Pick<TimeDetail, "term" | "terms">): TermOffer | null {
  const open = terms.filter((offer) => offer.open);
  return open.find(({ value, unit }) => value === term?.value && unit === term.unit) ?? open[0] ?? null;
}
