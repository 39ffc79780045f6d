import type { Product } from "@aqua/sdk/api/product";
import { findChain } from "@aqua/sdk/chains";
import { formatAmount, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { shareOf } from "../decimal.ts";
import { partText } from "../part-text.ts";

/** Name of a chain; its number when Aqua does not support it. */
export function chainName(chainId: number): string {
  return findChain(chainId)?.name ?? t("products.chain", { id: String(chainId) });
}

/** Base of the chain's block explorer, null for a chain without one. */
export function explorerOf(chainId: number): string | null {
  return findChain(chainId)?.explorer ?? null;
}

/** "Irrigation · Anantapur, India". Unknown parts are omitted. */
export function classAndPlace(product: Product): string {
  return [product.asset_class, product.location].filter(Boolean).join(" · ");
}

/** The used part of the cap as a gauge level and as "84.1%", and the cap itself as "1.5M". */
export function capFill(product: Product): { level: number | null; fill: string; cap: string } {
  const level = shareOf(product.cap_used, product.cap);
  return {
    level,
    fill: partText(product.cap_used, product.cap),
    cap: formatAmount(product.cap, { compact: true }),
  };
}

export function proofAge(product: Product): string {
  if (product.type === "time_deposit") return t("products.proof.fixed");
  if (product.withheld.includes("accounts")) return "—";
  return product.proof_age === null ? t("products.proof.none") : formatRelative(-product.proof_age, 0);
}
