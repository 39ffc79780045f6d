import type { WithdrawalRequest as QueuedRequest } from "@aqua/sdk/api/product";
import { DAY } from "@aqua/sdk/durations";
import { previewRedeem } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import { getAddress } from "viem";
import type { Orm } from "../db/database.ts";
import { waitingRequests } from "../indexer/load.ts";
import { poolAt, type VaultState, type WithdrawalRequest } from "../indexer/world.ts";
import { pastDays } from "./flows.ts";
import type { CurrentProduct } from "./store.ts";
import { MEASURED, waitInQueue } from "./waits.ts";

/** A report this overdue, counted from the time at which the last one became too old, blocks no request any more. */
const ABANDONED_AFTER = 30 * DAY;

type Stretch = Pick<WithdrawalRequest, "start" | "shares">;
type Covered = Pick<WithdrawalRequest, "payableFrom">;

/** Returns the unprocessed part of a request, and the unprocessed shares ahead of it. */
export function waitingOf({ start, shares }: Stretch, { processed }: VaultState): { shares: bigint; ahead: bigint } {
  if (processed <= start) return { shares, ahead: start - processed };
  const done = processed - start;
  return { shares: done < shares ? shares - done : 0n, ahead: 0n };
}

/**
 * Whether the request waits for money alone: it is payable, or reports are overdue by so long that none is needed. No
 * request is ready while a loss is under review.
 */
export function isReady({ payableFrom }: Covered, vault: VaultState, now: number): boolean {
  const { reportAsOf, maxReportAge, reviewUntil } = vault;
  if (now < reviewUntil) return false;
  return (payableFrom !== null && payableFrom <= now) || now > reportAsOf + maxReportAge + ABANDONED_AFTER;
}

/**
 * Returns the requests in a vault's queue, those of the wallets `first` before the others. Each part is in the order of
 * the queue.
 */
export async function queueOf(
  tx: Orm,
  {
    current,
    now,
    asked: { first, page, page_size },
  }: { current: CurrentProduct; now: number; asked: { first: readonly string[]; page: number; page_size: number } },
): Promise<{ items: QueuedRequest[]; total: number }> {
  const { product, vault } = current;
  const requests = (
    await waitingRequests(tx, { chainId: product.chainId, vault: product.address, processed: vault.processed })
  ).map((request, index) => ({ ...request, position: index + 1 }));
  const firstWallets = new Set(first.map((wallet) => wallet.toLowerCase()));
  const sorted = [
    ...requests.filter(({ wallet }) => firstWallets.has(wallet)),
    ...requests.filter(({ wallet }) => !firstWallets.has(wallet)),
  ];
  const shown = sorted.slice((page - 1) * page_size, page * page_size);
  const past = shown.length > 0 ? await pastDays(tx, { product, now, most: MEASURED }) : [];
  const pool = poolAt(vault, now);
  const worth = (shares: bigint) => formatUnits(previewRedeem(shares, pool), product.assetDecimals);
  const items = shown.map((request) => {
    const { payableFrom } = request;
    const waits = { ...waitingOf(request, vault), payableFrom, ready: isReady(request, vault, now) };
    return {
      position: request.position,
      wallet: getAddress(request.wallet),
      requested_at: request.requestedAt * 1_000,
      hash: request.hash,
      shares: formatUnits(waits.shares, product.shareDecimals),
      value: worth(waits.shares),
      ahead: worth(waits.ahead),
      payable_from: payableFrom === null ? null : payableFrom * 1_000,
      ready: waits.ready,
      wait: waitInQueue({ vault, past, now, place: waits }),
    };
  });
  return { items, total: requests.length };
}
