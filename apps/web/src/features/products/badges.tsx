import type { Product } from "@aqua/sdk/api/product";
import { t } from "../../i18n/i18n.ts";
import { Badge } from "../../ui/badge.tsx";
import { chainName } from "./words.ts";

/** Status, type and network. A full cap counts as a status: nothing more can be put in. */
export function ProductBadges({
  product,
}: {
  product: Pick<Product, "status" | "tvl" | "cap" | "paused_until" | "as_of" | "type" | "chain_id">;
}) {
  const full = product.status === "open" && Number(product.tvl) >= Number(product.cap);
  const paused = product.paused_until !== null && product.paused_until > product.as_of.time;
  return (
    <div className="flex flex-wrap gap-1.5">
      {paused ? (
        <Badge look="caution">{t("products.status.paused")}</Badge>
      ) : full ? (
        <Badge look="caution">{t("products.status.capped")}</Badge>
      ) : (
        <Badge look={product.status === "open" ? "positive" : "plain"}>{t(`products.status.${product.status}`)}</Badge>
      )}
      <Badge>{t(`products.type.${product.type}`)}</Badge>
      <Badge>{chainName(product.chain_id)}</Badge>
    </div>
  );
}
