import type { WithdrawalRequest as PlaceInQueue } from "@aqua/sdk/api/product";
import { previewRedeem } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import { getAddress } from "viem";
import type { Orm } from "../db/database.ts";
import { waitingPlaces } from "../indexer/load.ts";
import { poolAt, type VaultState, type WithdrawalRequest } from "../indexer/state.ts";
import { pastDays } from "./flows.ts";
import type { CurrentProduct } from "./store.ts";
import { MEASURED, waitInQueue } from "./waits.ts";

/** Reports that stay away this long after the last became too old hold up no request any more. */
const ABANDONED_AFTER = 30 * 86_400;

type Stretch = Pick<WithdrawalRequest, "start" | "shares">;

/** What of a place is not processed, and what stands before that, in shares. */
export function waitingOf({ start, shares }: Stretch, { processed }: VaultState): { shares: bigint; ahead: bigint } {
  if (processed <= start) return { shares, ahead: start - processed };
  const done = processed - start;
  return { shares: done < shares ? shares - done : 0n, ahead: 0n };
}

/** Whether it waits for money alone: a report came after it, or reports have stayed away for so long that none is needed. */
export function isReady({ start, shares }: Stretch, { eligible, reportAsOf, maxReportAge }: VaultState, now: number) {
  return start + shares <= eligible || now > reportAsOf + maxReportAge + ABANDONED_AFTER;
}

/** The line of a vault, the places of `first` before the others, each part from the head on. */
export async function lineOf(
  tx: Orm,
  current: CurrentProduct,
  now: number,
  { first, page, page_size }: { first: readonly string[]; page: number; page_size: number },
): Promise<{ items: PlaceInQueue[]; total: number }> {
  const { product, vault } = current;
  const places = (
    await waitingPlaces(tx, { chainId: product.chainId, vault: product.address, processed: vault.processed })
  ).map((place, index) => ({ ...place, position: index + 1 }));
  const mine = new Set(first.map((wallet) => wallet.toLowerCase()));
  const sorted = [
    ...places.filter(({ wallet }) => mine.has(wallet)),
    ...places.filter(({ wallet }) => !mine.has(wallet)),
  ];
  const shown = sorted.slice((page - 1) * page_size, page * page_size);
  const past = shown.length > 0 ? await pastDays(tx, product, now, MEASURED) : [];
  const pool = poolAt(vault, now);
  const worth = (shares: bigint) => formatUnits(previewRedeem(shares, pool), product.assetDecimals);
  const items = shown.map((place) => {
    const waits = { ...waitingOf(place, vault), ready: isReady(place, vault, now) };
    return {
      position: place.position,
      wallet: getAddress(place.wallet),
      requested_at: place.requestedAt * 1_000,
      hash: place.hash,
      shares: formatUnits(waits.shares, product.shareDecimals),
      value: worth(waits.shares),
      ahead: worth(waits.ahead),
      ready: waits.ready,
      wait: waitInQueue(vault, past, now, waits),
    };
  });
  return { items, total: places.length };
}
