import { and, asc, desc, eq, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { identityRecord, movement, position, product } from "../indexer/schema.ts";
import type { IdentityRecord, Movement, PositionState } from "../indexer/state.ts";

/**
 * The latest version of each wallet's position in each product of a chain; with `until` (Unix seconds, included) as it
 * stood then. Products a wallet never held are left out.
 */
export async function latestPositions(
  tx: Orm,
  chainId: number,
  wallets: readonly Hex[],
  until?: number,
): Promise<PositionState[]> {
  const holders = tx
    .select({ holder: sql<Hex>`holder`.as("holder") })
    .from(sql`unnest(${`{${wallets.join(",")}}`}::text[]) as asked(holder)`)
    .as("holders");
  const latest = tx
    .select()
    .from(position)
    .where(
      and(
        eq(position.wallet, sql`holders.holder`),
        eq(position.chainId, product.chainId),
        eq(position.product, product.address),
        until === undefined ? undefined : lte(position.time, until),
      ),
    )
    .orderBy(desc(position.time), desc(position.block), desc(position.logIndex))
    .limit(1)
    .as("latest");
  const rows = await tx
    .select()
    .from(product)
    .innerJoin(holders, sql`true`)
    .innerJoinLateral(latest, sql`true`)
    .where(eq(product.chainId, chainId))
    .orderBy(asc(product.block), asc(product.logIndex), sql`holders.holder`);
  return rows.map((row) => row.latest);
}

/** Every version of the wallets' positions on a chain, in its order. */
export function positionVersions(
  tx: Orm,
  chainId: number,
  wallets: readonly Hex[],
  where?: SQL,
): Promise<PositionState[]> {
  return tx
    .select()
    .from(position)
    .where(and(inArray(position.wallet, [...wallets]), eq(position.chainId, chainId), where))
    .orderBy(asc(position.block), asc(position.logIndex), asc(position.wallet));
}

/** A version of a position, and what the wallet did that brought it about. */
export interface PositionChange {
  position: PositionState;
  movement: Movement | null;
}

/** The versions from `from` to `to` (Unix seconds, both included), `limit` at most; of a transfer its sender's side first. */
export async function positionChanges(
  tx: Orm,
  chainId: number,
  wallets: readonly Hex[],
  span: { from: number; to: number; limit: number; product: Hex | undefined },
): Promise<PositionChange[]> {
  return tx
    .select({ position, movement })
    .from(position)
    .leftJoin(
      movement,
      and(
        eq(movement.chainId, position.chainId),
        eq(movement.block, position.block),
        eq(movement.logIndex, position.logIndex),
        eq(movement.wallet, position.wallet),
      ),
    )
    .where(
      and(
        inArray(position.wallet, [...wallets]),
        eq(position.chainId, chainId),
        span.product === undefined ? undefined : eq(position.product, span.product),
        gte(position.time, span.from),
        lte(position.time, span.to),
      ),
    )
    .orderBy(
      ...[asc(position.time), asc(position.block), asc(position.logIndex)],
      ...[sql`${movement.kind} = 'transfer_in' nulls first`, asc(position.wallet)],
    )
    .limit(span.limit);
}

/** Products in which one of the wallets sent a stake to another of them. */
export async function productsOfOwnTransfers(tx: Orm, chainId: number, wallets: readonly Hex[]): Promise<Set<Hex>> {
  if (wallets.length < 2) return new Set();
  const other = alias(movement, "other");
  const rows = await tx
    .selectDistinct({ product: movement.product })
    .from(movement)
    .innerJoin(
      other,
      and(
        eq(other.chainId, movement.chainId),
        eq(other.block, movement.block),
        eq(other.logIndex, movement.logIndex),
        inArray(other.wallet, [...wallets]),
        eq(other.kind, "transfer_in"),
      ),
    )
    .where(
      and(inArray(movement.wallet, [...wallets]), eq(movement.chainId, chainId), eq(movement.kind, "transfer_out")),
    );
  return new Set(rows.map((row) => row.product));
}

/** Each wallet's record in the identity registry; those never bound are left out. */
export async function identitiesOf(
  tx: Orm,
  chainId: number,
  wallets: readonly Hex[],
): Promise<Map<Hex, IdentityRecord>> {
  const rows = await tx
    .selectDistinctOn([identityRecord.wallet])
    .from(identityRecord)
    .where(and(eq(identityRecord.chainId, chainId), inArray(identityRecord.wallet, [...wallets])))
    .orderBy(identityRecord.wallet, desc(identityRecord.block), desc(identityRecord.logIndex));
  return new Map(rows.map((row) => [row.wallet, row]));
}
