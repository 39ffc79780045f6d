import type { ProductDetail } from "@aqua/sdk/api/product";

export interface ActionPanelProps {
  product: ProductDetail;
}

/** Deposit and Withdraw of one product, with the preview of what would happen. */
export function ActionPanel({ product }: ActionPanelProps) {
  return <section aria-label={product.name} />;
}
