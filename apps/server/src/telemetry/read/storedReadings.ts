import type { RefusedReading, StoredReading } from "@aqua/sdk/api/telemetry";
import { figureOf } from "@aqua/sdk/telemetry/figure";
import { metrics } from "@aqua/sdk/telemetry/metrics";
import { and, count, desc, eq, exists, gte, lt, lte, sql } from "drizzle-orm";
import type { Orm } from "../../db/database.ts";
import { anchor } from "../../indexer/schema.ts";
import { attributedRow } from "../refused.ts";
import { device, reading, refusedReading, telemetryBatch, telemetryBatchPart } from "../schema.ts";
import type { Enrolled } from "./deviceStore.ts";

/** Returns the newest readings of a device below a number, newest first, with the batch of each. */
export async function storedReadings(
  tx: Orm,
  of: Enrolled,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<StoredReading[]> {
  const anchored = tx
    .select({ one: sql`1` })
    .from(anchor)
    .where(and(eq(anchor.chainId, telemetryBatch.chainId), eq(anchor.head, telemetryBatch.head)));
  const batch = tx
    .select({ number: telemetryBatch.number, anchored: sql<boolean>`${exists(anchored)}`.as("anchored") })
    .from(telemetryBatchPart)
    .innerJoin(
      telemetryBatch,
      and(
        eq(telemetryBatch.chainId, telemetryBatchPart.chainId),
        eq(telemetryBatch.stream, telemetryBatchPart.stream),
        eq(telemetryBatch.number, telemetryBatchPart.number),
      ),
    )
    .where(
      and(
        eq(telemetryBatchPart.device, reading.device),
        gte(telemetryBatchPart.lastSeq, reading.seq),
        lte(telemetryBatchPart.firstSeq, reading.seq),
      ),
    )
    .orderBy(telemetryBatchPart.lastSeq)
    .limit(1)
    .as("batch");
  const rows = await tx
    .select({
      seq: reading.seq,
      time: reading.time,
      accepted: reading.accepted,
      value: reading.value,
      flaw: reading.flaw,
      batch: batch.number,
      anchored: batch.anchored,
    })
    .from(reading)
    .leftJoinLateral(batch, sql`true`)
    .where(and(eq(reading.device, of.id), before === undefined ? undefined : lt(reading.seq, before)))
    .orderBy(desc(reading.seq))
    .limit(limit);
  const { name, metric, exponent } = of;
  return rows.map(({ seq, time, accepted, value, flaw, batch, anchored }) => ({
    device: name,
    seq,
    time,
    accepted,
    metric,
    unit: metrics[metric].unit,
    value: figureOf(value, exponent),
    flaw,
    batch,
    anchored: anchored ?? false,
  }));
}

/**
 * Returns refused readings, newest first. For the operator only: it includes readings that unknown senders sent in the
 * name of devices.
 */
export async function refusedReadings(
  tx: Orm,
  filter: { device?: string | undefined; reason?: RefusedReading["reason"] | undefined },
  page: { limit: number; offset: number },
): Promise<{ rows: RefusedReading[]; total: number }> {
  const where = and(
    attributedRow,
    filter.device === undefined ? undefined : eq(refusedReading.device, filter.device),
    filter.reason === undefined ? undefined : eq(refusedReading.reason, filter.reason),
  );
  const { id, received, reason, message, via } = refusedReading;
  const rows = await tx
    .select({ id, received, device: refusedReading.device, short_id: device.shortId, reason, message, via })
    .from(refusedReading)
    .leftJoin(device, eq(device.name, refusedReading.device))
    .where(where)
    .orderBy(desc(refusedReading.id))
    .limit(page.limit)
    .offset(page.offset);
  const [counted] = await tx.select({ total: count() }).from(refusedReading).where(where);
  return { rows, total: counted?.total ?? 0 };
}
