import type { lostBatchBody } from "@aqua/sdk/api/operator";
import type { DeclaredLoss, LossList } from "@aqua/sdk/api/telemetry";
import { nameHex, noReading } from "@aqua/sdk/proofs/reading";
import { and, asc, desc, eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import { anyOf } from "../db/anyOf.ts";
import { type Database, isTaken, type Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { anchor } from "../indexer/schema.ts";
import { productsOf } from "../product/store.ts";
import type { Act, LogWriter } from "../publicLog/writer.ts";
import { lastAnchored, lastOwn } from "./anchoring/store.ts";
import { declaredLoss, device, deviceHead, telemetryBatch } from "./schema.ts";

export interface Losses {
  /**
   * Declares lost the file of the next batch that the chain has and the database lacks. The batches after it can then be
   * imported, and the next reading of each of the product's devices need not name the last accepted one.
   * @throws ApiError pool_not_found, conflict
   */
  declareBatch(body: z.output<typeof lostBatchBody>, act?: Act): Promise<DeclaredLoss>;
  /**
   * Declares lost the readings of a device after its last accepted one. Its next reading need not name that one.
   * @throws ApiError not_found
   */
  declareReadings(device: string, reason: string, act?: Act): Promise<DeclaredLoss>;
}

type Row = typeof declaredLoss.$inferSelect;

/** @param chainIds the chains of this instance, in order of preference */
export function createLosses({
  db,
  chainIds,
  writer,
}: {
  db: Database;
  chainIds: readonly number[];
  writer: LogWriter;
}): Losses {
  async function insert(tx: Orm, loss: Omit<Row, "id" | "time">, act: Act): Promise<DeclaredLoss> {
    const [row] = await tx
      .insert(declaredLoss)
      .values({ ...loss, time: Date.now() })
      .returning();
    await writer.row(tx, "declared_loss", { subject: `loss ${(row as Row).id}`, act });
    return toLoss(row as Row);
  }

  return {
    async declareBatch({ short_id: shortId, number, reason }, act = null) {
      const listed = (await productsOf(db.orm, [...chainIds])).filter((product) => product.shortId === shortId);
      const chainId = chainIds.find((id) => listed.some((product) => product.chainId === id));
      if (chainId === undefined) throw new ApiError("pool_not_found", "There is no such product");
      const of = { chainId, stream: nameHex(shortId) };
      try {
        return await db.transaction(async (tx) => {
          const anchors = await tx
            .select()
            .from(anchor)
            .where(
              and(
                eq(anchor.chainId, chainId),
                eq(anchor.stream, of.stream),
                inArray(anchor.number, [number - 1, number]),
              ),
            );
          const lost = anchors.find((one) => one.number === number);
          if (lost === undefined) throw new ApiError("conflict", `The chain holds no batch ${number} of ${shortId}`);
          const next = (await lastOwn(tx, of)) + 1;
          if (number < next) throw new ApiError("conflict", `Batch ${number} of ${shortId} is not missing`);
          if (number > next) throw new ApiError("conflict", `The next missing batch of ${shortId} is ${next}`);
          await tx.insert(telemetryBatch).values({
            ...of,
            number,
            shortId,
            previousHead: anchors.find((one) => one.number === number - 1)?.head ?? noReading,
            root: lost.root,
            from: lost.from,
            to: lost.to,
            count: lost.count,
            dataHash: lost.dataHash,
            head: lost.head,
            file: null,
            createTime: lost.to * 1_000,
            hash: lost.hash,
          });
          const devices = await tx
            .select({ id: device.id })
            .from(device)
            .where(and(eq(device.chainId, chainId), eq(device.shortId, shortId)));
          await letRejoin(
            tx,
            devices.map(({ id }) => id),
          );
          return insert(tx, { chainId, shortId, batch: number, device: null, afterSeq: null, reason }, act);
        });
      } catch (error) {
        if (isTaken(error)) throw new ApiError("conflict", `Batch ${number} of ${shortId} has just been stored`);
        throw error;
      }
    },

    declareReadings: (name, reason, act = null) =>
      db.transaction(async (tx) => {
        const [row] = await tx.select().from(device).where(eq(device.name, name));
        if (row === undefined) throw new ApiError("not_found", "There is no such device");
        const [head] = await letRejoin(tx, [row.id]);
        const { chainId, shortId } = row;
        return insert(tx, { chainId, shortId, batch: null, device: name, afterSeq: head?.seq ?? 0, reason }, act);
      }),
  };
}

/** Lets the next reading of these devices name another than the last accepted one. */
async function letRejoin(tx: Orm, ids: readonly number[]) {
  // The order of all writers, so that two of them never deadlock.
  const heads = await tx
    .select({ device: deviceHead.device, seq: deviceHead.seq })
    .from(deviceHead)
    .where(anyOf(deviceHead.device, ids))
    .orderBy(asc(deviceHead.device))
    .for("update");
  await tx.update(deviceHead).set({ rejoins: true }).where(anyOf(deviceHead.device, ids));
  return heads;
}

const toLoss = ({ chainId, shortId, batch, device, afterSeq, reason, time }: Row): DeclaredLoss => ({
  chain_id: chainId,
  short_id: shortId,
  batch,
  device,
  after_seq: afterSeq,
  reason,
  time,
});

/** Returns what was declared lost on these chains, newest first, and the batches on them that the database lacks. */
export async function readLosses(tx: Orm, chainIds: readonly number[]): Promise<LossList> {
  const declared = await tx
    .select()
    .from(declaredLoss)
    .where(inArray(declaredLoss.chainId, [...chainIds]))
    .orderBy(desc(declaredLoss.id));
  const missing: LossList["missing"] = [];
  for (const { chainId, shortId } of await productsOf(tx, [...chainIds])) {
    const of = { chainId, stream: nameHex(shortId) };
    const [from, to] = [(await lastOwn(tx, of)) + 1, (await lastAnchored(tx, of))?.number ?? 0];
    if (from <= to) missing.push({ chain_id: chainId, short_id: shortId, from, to });
  }
  return { missing, declared: declared.map(toLoss) };
}
