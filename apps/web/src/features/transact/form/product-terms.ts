import type { ProductDetail } from "@aqua/sdk/api/product";
import type { ProductTerms } from "@aqua/sdk/chain/product-terms";

/**
 * The product in the form that the chain code uses; null when the API lists no identity registry, without which no
 * wallet can act.
 */
export function termsOf(product: ProductDetail): ProductTerms | null {
  const registry = product.contracts.find((contract) => contract.role === "identity_registry");
  if (registry === undefined) return null;
  const queue = product.type === "demand_deposit" ? product.vault.queue : null;
  return {
    shortId: product.short_id,
    name: product.name,
    chainId: product.chain_id,
    contract: product.contract as `0x${string}`,
    asset: product.asset.address as `0x${string}`,
    identityRegistry: registry.address as `0x${string}`,
    symbol: product.asset.symbol,
    assetDecimals: product.asset.decimals,
    shareDecimals: product.share?.decimals ?? 0,
    queue: queue && (queue.address as `0x${string}`),
  };
}
