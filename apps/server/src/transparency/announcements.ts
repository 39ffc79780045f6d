import type { Recovery, ScheduledCall } from "@aqua/sdk/api/transparency";
import { DAY } from "@aqua/sdk/durations";
import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { getAddress, type Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { privilegedAct } from "../indexer/schema.ts";
import type { PrivilegedAct as ActRow, Product } from "../indexer/world.ts";
import { decodeCall } from "./calls.ts";

/** Facts about a chain that are known in advance: calls scheduled with a delay, and recoveries that can be vetoed. */

/** Seconds after its delay within which a scheduled call can be made: OpenZeppelin's AccessManager.expiration(). */
const EXPIRATION = 7 * DAY;

/** The calls that are scheduled on a chain at `now` (Unix seconds) and neither made nor cancelled, soonest first. */
export async function scheduledCalls(
  tx: Orm,
  { chainId, products, now }: { chainId: number; products: readonly Product[]; now: number },
): Promise<ScheduledCall[]> {
  const rows = await tx
    .select()
    .from(privilegedAct)
    .where(
      and(
        eq(privilegedAct.chainId, chainId),
        inArray(privilegedAct.name, ["OperationScheduled", "OperationExecuted", "OperationCanceled"]),
      ),
    )
    .orderBy(asc(privilegedAct.block), asc(privilegedAct.logIndex));
  const pending = new Map<string, ActRow>();
  for (const row of rows) {
    const key = `${row.args.operationId}:${row.args.nonce}`;
    if (row.name === "OperationScheduled") pending.set(key, row);
    else pending.delete(key);
  }
  return [...pending.values()]
    .map((row) => scheduledCall(row, products))
    .filter((call) => call.possible_until > now * 1_000)
    .sort((a, b) => a.possible_from - b.possible_from);
}

function scheduledCall(row: ActRow, products: readonly Product[]): ScheduledCall {
  const { operationId = "0x", nonce = "0", schedule = "0", caller = "", target = "", data = "0x" } = row.args;
  const { name, args, parts } = decodeCall(data as Hex);
  const about = [target, ...Object.values(args).map((value) => value.toLowerCase())];
  const product =
    products.find((one) => one.address === target) ??
    products.find((one) => args.shortId === one.shortId) ??
    products.find((one) => about.includes(one.address));
  return {
    chain_id: row.chainId,
    operation: operationId,
    nonce: Number(nonce),
    caller: getAddress(caller),
    target: getAddress(target),
    short_id: product?.shortId ?? null,
    name,
    args,
    parts,
    scheduled_at: row.time * 1_000,
    possible_from: Number(schedule) * 1_000,
    possible_until: (Number(schedule) + EXPIRATION) * 1_000,
    hash: row.hash,
  };
}

/**
 * The recovery of `wallet` (lower case) that can be vetoed or executed at `now` (Unix seconds). Null if there is none.
 */
export async function recoveryOf(
  tx: Orm,
  { chainId, wallet, now }: { chainId: number; wallet: string; now: number },
): Promise<Recovery | null> {
  const [last] = await tx
    .select()
    .from(privilegedAct)
    .where(
      and(
        eq(privilegedAct.chainId, chainId),
        inArray(privilegedAct.name, ["RecoveryProposed", "RecoveryVetoed", "RecoveryCancelled", "Retired"]),
        eq(sql`${privilegedAct.args}->>'wallet'`, wallet),
      ),
    )
    .orderBy(desc(privilegedAct.block), desc(privilegedAct.logIndex))
    .limit(1);
  if (last?.name !== "RecoveryProposed" || Number(last.args.expiresAt) <= now) return null;
  const { successor = "", executableAt, expiresAt } = last.args;
  return {
    chain_id: chainId,
    registry: getAddress(last.contract),
    wallet: getAddress(wallet),
    successor: getAddress(successor),
    proposed_at: last.time * 1_000,
    executable_at: Number(executableAt) * 1_000,
    expires_at: Number(expiresAt) * 1_000,
    hash: last.hash,
  };
}
