import { nameHex } from "@aqua/sdk/proofs/reading";
import { and, eq } from "drizzle-orm";
import type { Hex } from "viem";
import { anyOf } from "../../db/anyOf.ts";
import type { Orm } from "../../db/database.ts";
import type { Product } from "../../indexer/world.ts";
import { telemetryBatch } from "../schema.ts";

/**
 * Returns those of these heads whose batch was built here. All earlier batches of the stream were then built here
 * too.
 */
export async function headsBuiltHere(tx: Orm, of: Product, heads: readonly Hex[]): Promise<ReadonlySet<Hex>> {
  if (heads.length === 0) return new Set();
  const rows = await tx
    .select({ head: telemetryBatch.head })
    .from(telemetryBatch)
    .where(
      and(
        eq(telemetryBatch.chainId, of.chainId),
        eq(telemetryBatch.stream, nameHex(of.shortId)),
        anyOf(telemetryBatch.head, heads),
      ),
    );
  return new Set(rows.map(({ head }) => head));
}
