import type { Product } from "@aqua/sdk/api/product";
import { findChain } from "@aqua/sdk/chains";
import { formatDuration } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";

/** Name of a chain; its number when Aqua does not know it. */
export function chainName(chainId: number): string {
  return findChain(chainId)?.name ?? t("products.chain", { id: String(chainId) });
}

/** Base of the chain's block explorer, null for a chain without one. */
export function explorerOf(chainId: number): string | null {
  return findChain(chainId)?.explorer ?? null;
}

/** "Irrigation · Anantapur, India", as far as known. */
export function classAndPlace(product: Product): string {
  return [product.asset_class, product.location].filter(Boolean).join(" · ");
}

export function proofAge(product: Product): string {
  if (product.type === "time_deposit") return t("products.proof.fixed");
  return product.proof_age === null
    ? t("products.proof.none")
    : t("products.proof.age", { age: formatDuration(product.proof_age) });
}
