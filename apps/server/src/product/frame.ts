import type { AsOf } from "@aqua/sdk/api/envelope";
import type { DemandDetail, Product as ListedProduct } from "@aqua/sdk/api/product";
import type { Deployment } from "@aqua/sdk/deployment";
import type { LanguageCode } from "@aqua/sdk/languages";
import { getAddress, type Hex } from "viem";
import type { Product, ProductState } from "../indexer/world.ts";
import { type Documents, documentIn } from "./documents.ts";

/** Fields that products of both types share. */
type Frame = Pick<
  ListedProduct,
  | "short_id"
  | "withheld"
  | "name"
  | "summary"
  | "status"
  | "chain_id"
  | "contract"
  | "asset"
  | "location"
  | "asset_class"
  | "image"
  | "closed_to"
  | "base"
  | "as_of"
>;
type Page = Pick<
  DemandDetail,
  | "description"
  | "yield_source"
  | "holder"
  | "evidence"
  | "risks"
  | "metadata_hash"
  | "coordinates"
  | "contracts"
  | "contract_audit"
>;
type Listed = { product: Product; state: ProductState };

/** Returns the fields that a list row has for every product. Texts are in `lang`. */
export function frameOf({
  listed: { product, state },
  documents,
  asOf,
  lang,
}: {
  listed: Listed;
  documents: Documents;
  asOf: AsOf;
  lang?: LanguageCode | undefined;
}): Frame {
  const english = documents.get(state.metadataHash);
  const document = documentIn(english, lang);
  return {
    short_id: product.shortId,
    withheld: [],
    name: document?.name ?? product.shortId,
    summary: document?.summary ?? null,
    status: state.status === 0 ? "open" : "closed",
    chain_id: product.chainId,
    contract: getAddress(product.address),
    asset: { address: getAddress(product.asset), symbol: product.assetSymbol, decimals: product.assetDecimals },
    location: document?.location.name ?? null,
    asset_class: document?.asset_class ?? null,
    image: document?.image ?? null,
    closed_to: document?.closed_to ?? [],
    base:
      english && english !== document
        ? {
            name: english.name,
            summary: english.summary,
            location: english.location.name,
            asset_class: english.asset_class,
          }
        : null,
    as_of: asOf,
  };
}

/**
 * Returns the further fields that a page has for every product. `money` is the contract that receives the product's
 * money, if that is another contract.
 */
export function pageOf({
  listed: { product, state },
  documents,
  deployment,
  money,
  lang,
}: {
  listed: Listed;
  documents: Documents;
  deployment: Deployment | null;
  money: { queue: Hex | null; custodian: Hex | null };
  lang?: LanguageCode | undefined;
}): Page {
  const document = documentIn(documents.get(state.metadataHash), lang);
  const contracts: [Page["contracts"][number]["role"], string | null | undefined][] = [
    ["product", product.address],
    ["asset", product.asset],
    ["queue", money.queue],
    ["custodian", money.custodian],
    ["identity_registry", deployment?.identity_registry],
    ["product_registry", deployment?.product_registry],
    ["access_manager", deployment?.access_manager],
    ["telemetry_anchor", deployment?.telemetry_anchor],
  ];
  return {
    description: document?.description ?? [],
    yield_source: document?.yield_source ?? [],
    holder: document?.holder ?? null,
    evidence: document?.evidence ?? [],
    risks: document?.risks ?? [],
    contract_audit: document?.contract_audit ?? null,
    metadata_hash: state.metadataHash,
    coordinates: document && { latitude: document.location.latitude, longitude: document.location.longitude },
    contracts: contracts.flatMap(([role, address]) => (address ? [{ role, address: getAddress(address) }] : [])),
  };
}
