import type { RedemptionRequest } from "@aqua/sdk/api/account";
import { previewRedeem } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import { getAddress, type Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { type IndexedChain, stampsOf } from "../indexer/stamp.ts";
import { poolAt, type VaultState } from "../indexer/state.ts";
import type { Documents } from "../product/documents.ts";
import { currentProducts } from "../product/store.ts";
import { nameOf } from "./holdings.ts";
import { placesBefore, placesOf, type QueuePlace } from "./requestStore.ts";

/** Reports that stay away this long after the last became too old hold up no request any more. */
const ABANDONED_AFTER = 30 * 86_400;

/** Requests of the wallets that are not fully processed, oldest first. */
export async function requestsOf(
  tx: Orm,
  chains: readonly IndexedChain[],
  wallets: readonly Hex[],
  documents: Documents,
): Promise<RedemptionRequest[]> {
  const requests: RedemptionRequest[] = [];
  for (const { chain, asOf } of await stampsOf(tx, chains)) {
    const places = await placesOf(tx, chain.chainId, wallets);
    if (places.length === 0) continue;
    const products = new Map((await currentProducts(tx, chain.chainId)).map((row) => [row.product.address, row]));
    const now = asOf.time / 1_000;
    for (const place of places) {
      const current = products.get(place.product);
      if (!current) continue;
      const { product, vault } = current;
      const waits = waitingOf(place, vault);
      if (waits.shares === 0n) continue;
      const worth = (shares: bigint) => formatUnits(previewRedeem(shares, poolAt(vault, now)), product.assetDecimals);
      requests.push({
        short_id: product.shortId,
        name: nameOf(current, documents, undefined),
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
        ready: isReady(place, vault, now),
        wait: null,
        as_of: asOf,
      });
    }
  }
  return requests.sort((a, b) => a.requested_at - b.requested_at);
}

/** What of a place is not processed, and what stands before that, in shares. */
function waitingOf({ start, shares }: QueuePlace, { processed }: VaultState): { shares: bigint; ahead: bigint } {
  if (processed <= start) return { shares, ahead: start - processed };
  const done = processed - start;
  return { shares: done < shares ? shares - done : 0n, ahead: 0n };
}

/** Whether it waits for money alone: a report came after it, or reports have stayed away for so long that none is needed. */
function isReady({ start, shares }: QueuePlace, { eligible, reportAsOf, maxReportAge }: VaultState, now: number) {
  return start + shares <= eligible || now > reportAsOf + maxReportAge + ABANDONED_AFTER;
}
