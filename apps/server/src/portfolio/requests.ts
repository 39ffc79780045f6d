import type { RedemptionRequest } from "@aqua/sdk/api/portfolio";
import type { LanguageCode } from "@aqua/sdk/languages";
import { previewRedeem } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import { getAddress, type Hex } from "viem";
import type { Orm } from "../db/database.ts";
import type { IndexedChain } from "../indexer/stamp.ts";
import type { Documents } from "../product/documents.ts";
import { waitInQueue } from "../product/waits.ts";
import { isReady, waitingOf } from "../product/withdrawalQueue.ts";
import type { ChainStates } from "./chainState.ts";
import { nameOf } from "./holdings.ts";
import { listRequests } from "./requestStore.ts";

/** Returns the wallets' requests that are not fully processed, oldest first. */
export async function requestsOf(
  tx: Orm,
  {
    states,
    chains,
    wallets,
    documents,
    lang,
  }: {
    states: ChainStates;
    chains: readonly IndexedChain[];
    wallets: readonly Hex[];
    documents: Documents;
    lang: LanguageCode | undefined;
  },
): Promise<RedemptionRequest[]> {
  const requests: RedemptionRequest[] = [];
  for (const { chain, asOf, state } of await states.at(tx, chains)) {
    const now = state.time;
    for (const { place, before } of await listRequests(tx, chain.chainId, wallets)) {
      const known = state.products.get(place.product);
      if (known?.type !== "demand_deposit") continue;
      const { current, pool } = known;
      const { product, vault } = current;
      const waits = waitingOf(place, vault);
      if (waits.shares === 0n) continue;
      const worth = (shares: bigint) => formatUnits(previewRedeem(shares, pool), product.assetDecimals);
      const past = await state.pastOf(tx, product);
      const { payableFrom } = place;
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
        position: 1 + before,
        payable_from: payableFrom === null ? null : payableFrom * 1_000,
        ready,
        wait: waitInQueue({ vault, past, now, place: { ...waits, payableFrom, ready } }),
        as_of: asOf,
      });
    }
  }
  return requests.sort((a, b) => a.requested_at - b.requested_at);
}
