import { DAY, HOUR } from "@aqua/sdk/durations";
import { shortIds } from "../products.ts";
import type { Event } from "./schedule.ts";
import { receiptStatus, roll } from "./termModel.ts";
import type { WorldState } from "./worldState.ts";

/** An act upon the record of a depositor's wallet. */
export type RecordAction =
  | { kind: "freeze"; depositor: number }
  | { kind: "proposeRecovery"; depositor: number }
  | { kind: "executeRecovery"; depositor: number }
  /** What a replaced wallet holds in one product: shares, places in its queue, receipts. */
  | { kind: "recoverHoldings"; depositor: number; shortId: string; shares: boolean; places: boolean; ids: number[] };

/** The depositor whose wallet the guardian freezes, and when, in parts per thousand of the world's time. */
export const frozen = { depositor: 6, after: 930 };
/** The depositor whose wallet is lost and recovered, and when the recovery is proposed. */
export const recovered = { depositor: 7, after: 780 };
/** After the 72 hours in which the old wallet can veto. */
const EXECUTED_AFTER = 3 * DAY + HOUR;

/** Events of wallets' records in a world from `start` to `end`, Unix seconds. */
export function* recordEvents(start: number, end: number): Generator<Event> {
  const part = (perThousand: number) => start + Math.floor(((end - start) * perThousand) / 1_000);
  yield { kind: "freeze", time: part(frozen.after), depositor: frozen.depositor };
  const { depositor } = recovered;
  const proposed = part(recovered.after);
  yield { kind: "proposeRecovery", time: proposed, depositor };
  yield { kind: "executeRecovery", time: proposed + EXECUTED_AFTER, depositor };
  for (const [index, shortId] of shortIds.entries())
    yield { kind: "recoverHoldings", time: proposed + EXECUTED_AFTER + (index + 1) * HOUR, depositor, shortId };
}

/** Turns an event of a wallet's record into an action and applies it to the models; null when there is nothing to do. */
export function resolveRecord(
  event: Extract<Event, { kind: RecordAction["kind"] }>,
  story: WorldState,
): RecordAction | null {
  const { kind, depositor } = event;
  if (!story.onboarded.has(depositor)) return null;
  if (kind !== "recoverHoldings") {
    story.silent.add(depositor);
    return { kind, depositor };
  }
  const { shortId } = event;
  const vault = story.vaults.get(shortId);
  const receipts = [...(story.termDeposits.get(shortId)?.receipts ?? [])];
  const own = receipts.filter(([, { holder, status }]) => holder === depositor && status === receiptStatus.live);
  // The instruction for its maturity ends when a receipt changes hands.
  for (const [, receipt] of own) Object.assign(receipt, { roll: roll.none, rollTermId: 0 });
  const shares = vault !== undefined && vault.sharesOf(depositor) > 0n;
  const places = vault !== undefined && (vault.pending(depositor) > 0n || vault.claimable(depositor).shares > 0n);
  const ids = own.map(([id]) => id);
  return shares || places || ids.length > 0 ? { kind, depositor, shortId, shares, places, ids } : null;
}
