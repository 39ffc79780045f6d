import { nameHex } from "@aqua/sdk/proofs/reading";
import { and, desc, eq, max } from "drizzle-orm";
import type { Hex } from "viem";
import { anyOf } from "../db/anyOf.ts";
import type { Orm } from "../db/database.ts";
import { anchor } from "../indexer/schema.ts";
import type { Product } from "../indexer/world.ts";

export type Anchor = typeof anchor.$inferSelect;

/**
 * Returns the batches of a product that the chain holds, by these heads. The server may or may not have their
 * readings.
 */
export async function anchorsByHead(tx: Orm, of: Product, heads: readonly Hex[]): Promise<ReadonlyMap<Hex, Anchor>> {
  if (heads.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(anchor)
    .where(and(inStream(of), anyOf(anchor.head, heads)));
  return new Map(rows.map((row) => [row.head, row]));
}

/** Returns the newest batch of a product on chain. Returns null before the first batch. */
export async function newestAnchor(tx: Orm, of: Product): Promise<Anchor | null> {
  const [newest] = await tx.select().from(anchor).where(inStream(of)).orderBy(desc(anchor.number)).limit(1);
  return newest ?? null;
}

/** Returns the time of the newest anchored reading of each of these products of a chain, Unix seconds, by address. */
export async function lastReadings(tx: Orm, chainId: number, products: readonly Product[]): Promise<Map<Hex, number>> {
  const rows = await tx
    .select({ stream: anchor.stream, to: max(anchor.to) })
    .from(anchor)
    .where(eq(anchor.chainId, chainId))
    .groupBy(anchor.stream);
  const newest = new Map(rows.map(({ stream, to }) => [stream, to]));
  return new Map(
    products.flatMap(({ address, shortId }) => {
      const to = newest.get(nameHex(shortId));
      return to === undefined || to === null ? [] : [[address, Number(to)] as const];
    }),
  );
}

function inStream({ chainId, shortId }: Product) {
  return and(eq(anchor.chainId, chainId), eq(anchor.stream, nameHex(shortId)));
}
