import { DAY } from "@aqua/sdk/durations";
import { type DevnetProduct, dollars, type TimeProduct } from "./products.ts";

/**
 * Transfers of a product's money by treasurer and custodian. The planned year and the running world follow the same
 * rules.
 */
export type Move = { kind: "deploy" | "repay"; assets: bigint };

/** Minimum amount of a transfer to the custodian. */
const MIN_DEPLOYED = dollars(2_000);
const ROUND = dollars(100);
/** Time before the maturity of receipts at which their principal must be back. */
const TERM_NOTICE = 8 * DAY;

function atMost(most: bigint, assets: bigint): bigint {
  return assets < most ? assets : most;
}

function roundUp(assets: bigint, step: bigint): bigint {
  return ((assets + step - 1n) / step) * step;
}

/**
 * Whether idle money is deployed on this day: once a week, on a different day for each product. `time` in Unix seconds.
 */
function isDeskDay(shortId: string, time: number): boolean {
  return Math.floor(time / DAY) % 7 === shortId.length % 7;
}

/** Whether idle money suffices to process a queue. A few units would burn shares without a benefit. */
export function servesQueue(idle: bigint): boolean {
  return idle >= dollars(1);
}

export interface VaultMoney {
  idle: bigint;
  deployed: bigint;
  /** The part that is never deployed, and the value of the queued shares. */
  kept: bigint;
  owed: bigint;
  /** Unix seconds since which the first request waits in the queue. */
  waitingSince: number | null;
  closed: boolean;
}

/**
 * The next transfer for a vault at `time`: returns what its queue lacks once the custodian's notice has passed, and all
 * money of a closed product; else refills a low buffer and, once a week, deploys what exceeds it.
 */
export function vaultMove(product: DevnetProduct, money: VaultMoney, time: number): Move | null {
  const { idle, deployed, kept, owed, waitingSince, closed } = money;
  if (closed) return deployed > 0n ? { kind: "repay", assets: deployed } : null;
  if (waitingSince !== null && owed > idle) {
    const due = time - waitingSince >= product.noticeDays * DAY;
    const assets = atMost(deployed, roundUp(owed - idle, dollars(1)));
    return due && assets > 0n ? { kind: "repay", assets } : null;
  }
  const wanted = owed + kept;
  if (idle >= wanted + MIN_DEPLOYED && isDeskDay(product.shortId, time)) {
    return { kind: "deploy", assets: ((idle - wanted) / ROUND) * ROUND };
  }
  const assets = atMost(deployed, roundUp(wanted > idle ? wanted - idle : 0n, ROUND));
  return idle * 10n < wanted * 6n && assets > 0n ? { kind: "repay", assets } : null;
}

export interface TermMoney {
  /** Liabilities of all live receipts, and of those that have matured or will mature within the notice. */
  principal: bigint;
  due: bigint;
  deployed: bigint;
  /** The part that is never deployed. */
  kept: bigint;
}

/** Returns the time up to which receipts count as due at `time`. */
export function termHorizon(time: number): number {
  return time + TERM_NOTICE;
}

/**
 * Returns the next transfer for a time deposit: principal that matures soon is returned in time, and everything else
 * except the buffer is deployed.
 */
export function termMove(
  product: TimeProduct,
  { principal, due, deployed, kept }: TermMoney,
  time: number,
): Move | null {
  const cash = principal > deployed ? principal - deployed : 0n;
  if (cash < due) return { kind: "repay", assets: atMost(deployed, roundUp(due - cash, ROUND)) };
  if (!isDeskDay(product.shortId, time)) return null;
  const wanted = due > kept ? due : kept;
  return cash >= wanted + MIN_DEPLOYED ? { kind: "deploy", assets: ((cash - wanted) / ROUND) * ROUND } : null;
}

/** Returns the interest to fund when free interest falls below 60 % of the product's target; otherwise 0. */
export function interestToFund(product: TimeProduct, free: bigint): bigint {
  return free * 10n < product.freeInterest * 6n ? roundUp(product.freeInterest - free, ROUND) : 0n;
}
