import { type SQL, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";

/** Kinds of entries that state a public row. */
export const rowKinds = ["device", "device_interval", "declared_loss", "product_document", "operator"] as const;
export type RowKind = (typeof rowKinds)[number];

/** A row as the log states it: values by the names of their columns; 64-bit figures of a device as text. */
export type RowContent = Record<string, string | number | boolean | null>;

/** The rows of each kind: `subject` names the row in the log, `content` is what the log vouches for. */
const rows: Readonly<Record<RowKind, SQL>> = {
  device: sql`
    select name as subject, jsonb_build_object(
      'chain_id', chain_id, 'short_id', short_id, 'metric', metric, 'exponent', exponent, 'place', place,
      'latitude', latitude, 'longitude', longitude, 'model', model, 'trust', trust, 'co_signer', co_signer,
      'min', min::text, 'max', max::text, 'max_step', max_step::text, 'interval', interval,
      'secret_hash', encode(secret_hash, 'hex'), 'create_time', create_time, 'retired_time', retired_time) as content
    from device`,
  device_interval: sql`
    select d.name || ' ' || i.since as subject, jsonb_build_object('interval', i.interval) as content
    from device_interval i join device d on d.id = i.device`,
  declared_loss: sql`
    select 'loss ' || id as subject, jsonb_build_object(
      'chain_id', chain_id, 'short_id', short_id, 'batch', batch, 'device', device, 'after_seq', after_seq::text,
      'reason', reason, 'time', time) as content
    from declared_loss`,
  product_document: sql`
    select hash as subject, jsonb_build_object('size', length(content)) as content from product_document`,
  operator: sql`
    select name as subject, jsonb_build_object(
      'token_hash', token_hash, 'scopes', scopes, 'address', address, 'create_time', create_time,
      'expire_time', expire_time, 'revoke_time', revoke_time) as content
    from operator`,
};

/** Returns the row that a subject names now, or null if there is none. */
export async function rowContent(tx: Orm, kind: RowKind, subject: string): Promise<RowContent | null> {
  const found = await tx.execute<{ content: RowContent }>(
    sql`select content from (${rows[kind]}) r where r.subject = ${subject}`,
  );
  return found.rows[0]?.content ?? null;
}

export async function subjectsOf(tx: Orm, kind: RowKind): Promise<string[]> {
  const found = await tx.execute<{ subject: string }>(sql`select subject from (${rows[kind]}) r order by subject`);
  return found.rows.map(({ subject }) => subject);
}

export interface StatedRow {
  subject: string;
  /** The row now. Null if there is none. */
  row: RowContent | null;
  /** The bytes of the newest entry about it. Null if there is none. */
  entry: Uint8Array | null;
}

/** Returns up to 500 rows of a kind after a subject, each with the newest entry about it, from one snapshot. */
export async function statedRows(tx: Orm, kind: RowKind, after: string): Promise<StatedRow[]> {
  const found = await tx.execute<{ subject: string; row: RowContent | null; entry: Uint8Array | null }>(sql`
    with stated as (
      select distinct on (subject) subject, content from public_log_entry
      where kind = ${kind} and not refused order by subject, version desc)
    select coalesce(r.subject, s.subject) as subject, r.content as row, s.content as entry
    from (${rows[kind]}) r full join stated s on s.subject = r.subject
    where coalesce(r.subject, s.subject) > ${after} order by 1 limit 500`);
  return found.rows;
}
