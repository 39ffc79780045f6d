import type { Product } from "@aqua/sdk/api/product";
import { t } from "../../i18n/i18n.ts";
import { Badge } from "../../ui/badge.tsx";
import { type StateFields, stateOf } from "./deposit-state.ts";
import { chainName } from "./product-labels.ts";

const looks = {
  open: "positive",
  capped: "caution",
  paused: "caution",
  withheld: "caution",
  termless: "caution",
  closed: "plain",
} as const;

/** Shows whether the product takes deposits and, if it does not, the reason. */
export function StateBadge({ product }: { product: StateFields }) {
  const state = stateOf(product);
  return <Badge look={looks[state]}>{t(`products.status.${state}`)}</Badge>;
}

/** Status, type and network. */
export function ProductBadges({ product }: { product: StateFields & Pick<Product, "chain_id"> }) {
  return (
    <div className="flex flex-wrap gap-1.5">
      <StateBadge product={product} />
      <Badge>{t(`products.type.${product.type}`)}</Badge>
      <Badge>{chainName(product.chain_id)}</Badge>
    </div>
  );
}
