import type { Product } from "@aqua/sdk/api/product";
import { formatRate, formatTerm } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";

interface Earnings {
  /** "APY" or "Rate". */
  label: string;
  /** Null while unknown; `note` then says why. */
  value: string | null;
  /** The period it was earned over, or the term it applies to. */
  note: string;
}

/** What a deposit earns: a rate and its term, or an APY and its window, by type. */
export function earningsOf({ type, apy, term, open_terms, withheld }: Product): Earnings {
  if (withheld.includes("accounts")) {
    const label = t(type === "time_deposit" ? "products.rate" : "products.apy");
    return { label, value: null, note: t("ui.withheld") };
  }
  if (type === "time_deposit") {
    if (term === null) return { label: t("products.rate"), value: null, note: t("products.rate.none") };
    const length = formatTerm(term);
    const offer = open_terms
      ?.filter(({ value, unit }) => value === term.value && unit === term.unit)
      .sort((a, b) => Number(b.rate) - Number(a.rate))[0];
    if (!offer) return { label: t("products.apy"), value: apy.value, note: t("products.rate.term", { term: length }) };
    const note = t("products.rate.note", { term: length, apy: formatRate(offer.apy) });
    return { label: t("products.rate"), value: offer.rate, note };
  }
  return {
    label: t("products.apy"),
    value: apy.value,
    note:
      apy.value === null
        ? t("products.apy.unknown")
        : t(apy.annualised ? "products.apy.window" : "products.apy.raw", { days: apy.window_days }),
  };
}
