import type { RedemptionRequest } from "@aqua/sdk/api/account";
import type { LanguageCode } from "@aqua/sdk/languages";
import { previewRedeem } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import { getAddress, type Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { type IndexedChain, stampsOf } from "../indexer/stamp.ts";
import { poolAt } from "../indexer/state.ts";
import type { Documents } from "../product/documents.ts";
import { type PastDay, pastDays } from "../product/flows.ts";
import { isReady, waitingOf } from "../product/line.ts";
import { currentProducts } from "../product/store.ts";
import { waitInLine } from "../product/waits.ts";
import { nameOf } from "./holdings.ts";
import { placesBefore, placesOf } from "./requestStore.ts";

/** Requests of the wallets that are not fully processed, oldest first. */
export async function requestsOf(
  tx: Orm,
  chains: readonly IndexedChain[],
  wallets: readonly Hex[],
  documents: Documents,
  lang: LanguageCode | undefined,
): Promise<RedemptionRequest[]> {
  const requests: RedemptionRequest[] = [];
  for (const { chain, asOf } of await stampsOf(tx, chains)) {
    const places = await placesOf(tx, chain.chainId, wallets);
    if (places.length === 0) continue;
    const products = new Map((await currentProducts(tx, chain.chainId)).map((row) => [row.product.address, row]));
    const now = asOf.time / 1_000;
    const pasts = new Map<Hex, readonly PastDay[]>();
    for (const place of places) {
      const current = products.get(place.product);
      if (!current) continue;
      const { product, vault } = current;
      const waits = waitingOf(place, vault);
      if (waits.shares === 0n) continue;
      const worth = (shares: bigint) => formatUnits(previewRedeem(shares, poolAt(vault, now)), product.assetDecimals);
      const past = pasts.get(product.address) ?? (await pastDays(tx, product, now));
      pasts.set(product.address, past);
      const ready = isReady(place, vault, now);
      requests.push({
        short_id: product.shortId,
        name: nameOf(current, documents, lang),
        chain_id: product.chainId,
        wallet: getAddress(place.wallet),
        symbol: product.assetSymbol,
        decimals: product.assetDecimals,
        requested_at: place.requestedAt * 1_000,
        hash: place.hash,
        shares: formatUnits(place.shares, product.shareDecimals),
        pending_shares: formatUnits(waits.shares, product.shareDecimals),
        value: worth(waits.shares),
        ahead: worth(waits.ahead),
        position: 1 + (await placesBefore(tx, chain.chainId, product.address, vault.processed, place.start)),
        ready,
        wait: waitInLine(vault, past, now, { ...waits, ready }),
        as_of: asOf,
      });
    }
  }
  return requests.sort((a, b) => a.requested_at - b.requested_at);
}
