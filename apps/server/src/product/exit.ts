import { previewRedeem } from "@aqua/sdk/maths/shares";
import type { Wait } from "@aqua/sdk/maths/wait";
import { poolAt, type VaultState, type WithdrawalRequest } from "../indexer/world.ts";
import type { PastDay } from "./flows.ts";
import { waitFor, waitInQueue } from "./waits.ts";
import { isReady, waitingOf } from "./withdrawalQueue.ts";

/**
 * Estimates the time to leave a vault completely at `now`, Unix seconds: the longest wait among `free` shares, which
 * are in no queue, and the queued requests. Returns null if one of them cannot be estimated.
 */
export function waitForAll({
  vault,
  past,
  now,
  free,
  requests,
}: {
  vault: VaultState;
  past: readonly PastDay[];
  now: number;
  free: bigint;
  requests: readonly WithdrawalRequest[];
}): Wait | null {
  const waits: (Wait | null)[] = [];
  if (free > 0n) waits.push(waitFor({ vault, past, now, amount: previewRedeem(free, poolAt(vault, now)) }));
  for (const request of requests) {
    const { shares, ahead } = waitingOf(request, vault);
    if (shares === 0n) continue;
    const { payableFrom } = request;
    const place = { shares, ahead, payableFrom, ready: isReady(request, vault, now) };
    waits.push(waitInQueue({ vault, past, now, place }));
  }
  let longest: Wait = { p50: 0, p90: 0 };
  for (const wait of waits) {
    if (wait === null) return null;
    longest = { p50: Math.max(longest.p50, wait.p50), p90: Math.max(longest.p90, wait.p90) };
  }
  return longest;
}
