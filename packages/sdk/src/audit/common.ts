import type { Hex } from "viem";
import type { AuditEvent } from "./events.ts";
import type { Place, Rows } from "./rows.ts";

/** What the ledgers of the two kinds of products share. */
export interface Common {
  chainId: number;
  /** New rows are appended here. */
  rows: Rows;
  /** Whether both wallets are bound to one subject of the identity registry now. */
  isOneAccount(one: Hex, other: Hex): boolean;
}

/** A row's place is that of its event. */
export function placeOf(chainId: number, { block, logIndex, time }: AuditEvent): Place {
  return { chainId, block, logIndex, time };
}

/** The largest time in Unix seconds that a number of milliseconds can hold. A contract may say "never" with more. */
const LAST_TIME = Math.floor(Number.MAX_SAFE_INTEGER / 1_000);

/** Seconds of a contract as a number. */
export function atTime(seconds: bigint | number): number {
  return Number(seconds) > LAST_TIME ? LAST_TIME : Number(seconds);
}

/** A subject of the identity registry as 0x and 32 digits. */
export function subjectOf(subject: bigint): Hex {
  return `0x${subject.toString(16).padStart(32, "0")}`;
}
