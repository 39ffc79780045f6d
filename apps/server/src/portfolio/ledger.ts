import type { Hex } from "viem";
import type { Movement, PositionState } from "../indexer/world.ts";
import type { PositionChange } from "./positionStore.ts";

/** Balance of some wallets in one product at one moment, in smallest units. */
export interface Balance {
  /** Null for a time deposit. */
  shares: bigint | null;
  /** Null for a demand deposit. */
  principal: bigint | null;
  claimable: bigint;
  value: bigint;
}

export interface LedgerLine {
  movement: Movement;
  paidIn: bigint;
  paidOut: bigint;
  /** Earned since the previous line. */
  earned: bigint;
  balance: Balance;
}

/** closing.value = opening.value + paidIn − paidOut + earned. The same equation holds between consecutive lines. */
export interface Ledger {
  opening: Balance;
  lines: LedgerLine[];
  closing: Balance;
  paidIn: bigint;
  paidOut: bigint;
  earned: bigint;
}

/** All changes that one event of the chain made for the wallets. */
export type Step = readonly PositionChange[];

/** Groups the changes of one product by the event that caused them, in chain order. */
export function stepsOf(changes: readonly PositionChange[]): Step[] {
  const steps: PositionChange[][] = [];
  for (const change of changes) {
    const last = steps.at(-1);
    const [known] = last ?? [];
    const same =
      known?.position.block === change.position.block && known.position.logIndex === change.position.logIndex;
    if (last && same) last.push(change);
    else steps.push([change]);
  }
  return steps;
}

/** Builds the ledger between two balances. `before` holds the positions of the wallets at the opening. */
export function ledgerOf(
  { opening, after, closing }: { opening: Balance; after: readonly Balance[]; closing: Balance },
  before: readonly PositionState[],
  steps: readonly Step[],
): Ledger {
  const positions = new Map<Hex, PositionState>(before.map((position) => [position.wallet, position]));
  const ledger: Ledger = { opening, closing, lines: [], paidIn: 0n, paidOut: 0n, earned: 0n };
  let value = opening.value;
  for (const [index, step] of steps.entries()) {
    const balance = after[index];
    if (!balance) throw new RangeError(`${after.length} balances for ${steps.length} steps`);
    for (const { movement, paidIn, paidOut } of paymentsOf(positions, step)) {
      ledger.paidIn += paidIn;
      ledger.paidOut += paidOut;
      if (!movement) continue;
      const earned = balance.value - value - paidIn + paidOut;
      ledger.lines.push({ movement, paidIn, paidOut, earned, balance });
      value = balance.value;
    }
  }
  ledger.earned = closing.value - opening.value - ledger.paidIn + ledger.paidOut;
  return ledger;
}

/**
 * Computes the amounts that each change of a step paid in and paid out. A transfer between two of the wallets counts
 * as neither.
 */
function paymentsOf(positions: Map<Hex, PositionState>, step: Step) {
  const payments = step.map(({ position, movement }) => {
    const known = positions.get(position.wallet) ?? { totalIn: 0n, totalOut: 0n };
    positions.set(position.wallet, position);
    return { movement, paidIn: position.totalIn - known.totalIn, paidOut: position.totalOut - known.totalOut };
  });
  const [sender, receiver] = payments;
  const own =
    payments.length === 2 && sender?.movement?.kind === "transfer_out" && receiver?.movement?.kind === "transfer_in";
  return own ? payments.map(({ movement }) => ({ movement, paidIn: 0n, paidOut: 0n })) : payments;
}
