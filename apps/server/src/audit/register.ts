import { sql } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import { shortIdOf } from "./batches.ts";
import type { Fleet } from "./fleet.ts";
import { compareColumns, newSlice, recordRow, type Slice } from "./slice.ts";

/** Maximum number of rows of one kind that are reported. */
const MAX_ROWS = 1_000;

interface Parts {
  db: Pick<Database, "orm" | "transaction">;
  fleet: Fleet;
}

/** Finds rows of devices and batches that do not exist, and compares the declared losses with what is missing. */
export async function* auditRegister({ db, fleet }: Parts, chainIds: readonly number[]): AsyncGenerator<Slice> {
  yield await db.transaction(unknownDevices, "repeatable read");
  yield await db.transaction((tx) => otherSpans(tx, fleet), "repeatable read");
  yield await db.transaction((tx) => unknownBatches(tx, fleet, chainIds), "repeatable read");
  yield await db.transaction((tx) => missingBatches(tx, fleet, chainIds), "repeatable read");
  yield await db.transaction((tx) => declaredLosses(tx, fleet, chainIds), "repeatable read");
}

/** Each of these tables has an index that begins with the device. */
const tables = ["reading", "reading_bucket", "device_head", "telemetry_batch_part", "device_interval"] as const;

async function unknownDevices(tx: Orm): Promise<Slice> {
  const slice = newSlice();
  for (const table of tables) {
    // Jumps from device to device through the index, instead of reading millions of rows.
    const { rows } = await tx.execute<{ device: number; isKnown: boolean }>(sql`
      with recursive ids as (
        select min(device) as device from ${sql.identifier(table)}
        union all
        select (select min(device) from ${sql.identifier(table)} where device > ids.device) from ids
        where ids.device is not null
      )
      select ids.device, d.id is not null as "isKnown" from ids left join device d on d.id = ids.device
      where ids.device is not null`);
    slice.compared += rows.length;
    for (const { device } of rows.filter(({ isKnown }) => !isKnown)) {
      recordRow(slice, { table: "device", row: `device ${device}` }, { expected: `the device of rows in ${table}` });
    }
  }
  return slice;
}

async function otherSpans(tx: Orm, fleet: Fleet): Promise<Slice> {
  const slice = newSlice();
  const { rows } = await tx.execute<{ device: number; span: number; start: string; count: number }>(sql`
    select device, span, start, count from reading_bucket where span not in (3600000, 86400000) limit ${MAX_ROWS}`);
  for (const { device: id, span, start, count } of rows) {
    const device = fleet.byId.get(id)?.device;
    const detail = `${span} ms from ${new Date(Number(start)).toISOString()}`;
    const about = device && fleet.about("reading_bucket", device, detail);
    const words = { table: "reading_bucket", row: `device ${id}, ${detail}` };
    recordRow(slice, about ?? words, { found: `${count} readings` });
  }
  return slice;
}

const inList = (numbers: readonly number[]) =>
  sql`(${sql.join(
    [...numbers].map((one) => sql`${one}`),
    sql`, `,
  )})`;

/** Finds parts without their batch. */
async function unknownBatches(tx: Orm, fleet: Fleet, chainIds: readonly number[]): Promise<Slice> {
  const slice = newSlice();
  const { rows: parts } = await tx.execute<{
    chainId: string;
    stream: `0x${string}`;
    number: number;
    device: number;
    first: string;
    last: string;
  }>(sql`
    select p.chain_id as "chainId", p.stream, p.number, p.device, p.first_seq as first, p.last_seq as last
    from telemetry_batch_part p
    left join telemetry_batch b on b.chain_id = p.chain_id and b.stream = p.stream and b.number = p.number
    where b.number is null and p.chain_id in ${inList(chainIds)} limit ${MAX_ROWS}`);
  for (const { chainId, stream, number, device, first, last } of parts) {
    const shortId = shortIdOf(stream);
    const about = { row: `batch ${number} of ${shortId}`, ...fleet.productOf(Number(chainId), shortId) };
    recordRow(slice, { ...about, table: "telemetry_batch" }, { expected: `the batch of device ${device}` });
    const part = { ...about, table: "telemetry_batch_part", row: `${about.row}, device ${device}` };
    recordRow(slice, part, { found: `numbers ${first} to ${last}` });
  }
  return slice;
}

/**
 * Finds batches on chain that are not stored although readings from before their end are. A batch is stored before it
 * is sent, and imported before the readings after it are accepted.
 */
async function missingBatches(tx: Orm, fleet: Fleet, chainIds: readonly number[]): Promise<Slice> {
  const slice = newSlice();
  const { rows } = await tx.execute<{ chainId: string; stream: `0x${string}`; number: number; head: string }>(sql`
    select a.chain_id as "chainId", a.stream, a.number, a.head from anchor a
    where a.chain_id in ${inList(chainIds)} and not exists (select from telemetry_batch b
        where b.chain_id = a.chain_id and b.stream = a.stream and b.number >= a.number)
      and exists (select from device d
        cross join lateral (select coalesce(max(p.last_seq), 0) as seq from telemetry_batch_part p
          where p.device = d.id) as batched
        cross join lateral (select r.accepted from reading r where r.device = d.id and r.seq > batched.seq
          order by r.seq limit 1) as next
        where d.chain_id = a.chain_id and next.accepted <= a."to" * 1000
          and a.stream = '0x' || rpad(encode(convert_to(d.short_id, 'UTF8'), 'hex'), 64, '0'))
    limit ${MAX_ROWS}`);
  for (const { chainId, stream, number, head } of rows) {
    const shortId = shortIdOf(stream);
    const about = { row: `batch ${number} of ${shortId}`, ...fleet.productOf(Number(chainId), shortId) };
    recordRow(slice, { ...about, table: "telemetry_batch" }, { expected: head });
  }
  return slice;
}

interface LossRow extends Record<string, unknown> {
  id: string;
  chainId: string;
  shortId: string;
  batch: number | null;
  device: string | null;
  afterSeq: string | null;
  /** The batch's row, if it is stored without a file. */
  isLost: boolean;
  deviceChain: string | null;
  deviceProduct: string | null;
  headSeq: string | null;
}

async function declaredLosses(tx: Orm, fleet: Fleet, chainIds: readonly number[]): Promise<Slice> {
  const slice = newSlice();
  const { rows } = await tx.execute<LossRow>(sql`
    select l.id, l.chain_id as "chainId", l.short_id as "shortId", l.batch, l.device, l.after_seq as "afterSeq",
      exists (select from telemetry_batch b where b.chain_id = l.chain_id and b.short_id = l.short_id
        and b.number = l.batch and b.file is null) as "isLost",
      d.chain_id as "deviceChain", d.short_id as "deviceProduct", h.seq as "headSeq"
    from declared_loss l
    left join device d on d.name = l.device
    left join device_head h on h.device = d.id
    where l.chain_id in ${inList(chainIds)} or d.chain_id in ${inList(chainIds)}`);
  for (const row of rows) {
    const { id, chainId, shortId, batch, device } = row;
    const about = { table: "declared_loss", row: `loss ${id}`, ...fleet.productOf(Number(chainId), shortId) };
    if (device === null) {
      compareColumns(slice, about, { batch: [row.isLost ? batch : null, batch], after_seq: [null, row.afterSeq] });
    } else if (row.headSeq === null) {
      compareColumns(slice, { ...about, device }, { device: [null, device] });
    } else {
      const isAfterHead = Number(row.afterSeq) > Number(row.headSeq);
      compareColumns(
        slice,
        { ...about, device },
        {
          chain_id: [row.deviceChain, chainId],
          short_id: [row.deviceProduct, shortId],
          batch: [null, batch],
          after_seq: [isAfterHead || row.afterSeq === null ? `at most ${row.headSeq}` : row.afterSeq, row.afterSeq],
        },
      );
    }
  }
  return slice;
}
