import type { OperatorStatus } from "@aqua/sdk/api/operator";
import { sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";

/** Jobs of one kind. A job that runs now counts as waiting, or as failing if its last try failed. */
export interface JobCount {
  kind: string;
  waiting: number;
  failing: number;
  /** Given up within the last 30 days. */
  abandoned: number;
  /** Seconds since when the oldest job could have run that no worker has taken. 0 if there is none. */
  overdueSeconds: number;
}

/** What is anchored of a product's readings. */
export interface Anchored {
  chainId: number;
  shortId: string;
  /** Seconds since the newest batch on chain; since the first device was enrolled if there is none. */
  ageSeconds: number;
  /** Accepted readings that are in no batch. */
  readings: number;
  /** Batches that were built and are not on chain. */
  batches: number;
}

/** The process that does a work which one process does at a time. */
export interface Leader {
  /** `mqtt`, or `chain` and its id. */
  work: string;
  /** Id of the process; null if none does the work. */
  instance: string | null;
}

const now = sql`(extract(epoch from now()) * 1000)::bigint`;
/** The try of a job counts as failed when its worker put the job back, or took it again after a failure. */
const isFailing = sql`(attempts > 1 or (attempts = 1 and lease_owner is null)) and last_error is not null`;

/** Counts the jobs by kind. */
export async function jobCounts(orm: Orm): Promise<JobCount[]> {
  type Row = { kind: string; waiting: string; failing: string; abandoned: string; overdue: string };
  const { rows } = await orm.execute<Row>(sql`
    select kind,
      count(*) filter (where failed_time is null and not (${isFailing})) as waiting,
      count(*) filter (where failed_time is null and ${isFailing}) as failing,
      count(*) filter (where failed_time is not null) as abandoned,
      coalesce(max(${now} - run_at) filter (where failed_time is null and run_at < ${now}
        and coalesce(lease_until, 0) < ${now}), 0) / 1000.0 as overdue
    from job group by kind order by kind`);
  return rows.map(({ kind, waiting, failing, abandoned, overdue }) => ({
    kind,
    waiting: Number(waiting),
    failing: Number(failing),
    abandoned: Number(abandoned),
    overdueSeconds: Number(overdue),
  }));
}

/** Reads what is anchored of each product that has devices. The numbers of a device's readings have no gaps. */
export async function anchored(orm: Orm): Promise<Anchored[]> {
  type Row = { chain_id: string; short_id: string; age: string; readings: string; batches: string };
  const { rows } = await orm.execute<Row>(sql`
    with product as (
      select d.chain_id, d.short_id, '0x' || rpad(encode(convert_to(d.short_id, 'UTF8'), 'hex'), 64, '0') as stream,
        min(d.create_time) as since,
        sum(greatest(0, h.seq - coalesce((select max(p.last_seq) from telemetry_batch_part p where p.device = d.id), 0))) as readings
      from device d join device_head h on h.device = d.id
      group by d.chain_id, d.short_id)
    select p.chain_id, p.short_id, p.readings,
      greatest(0, extract(epoch from now()) - coalesce(a.time, p.since / 1000)) as age,
      (select count(*) from telemetry_batch b
        where b.chain_id = p.chain_id and b.stream = p.stream and b.number > coalesce(a.number, 0)) as batches
    from product p
    left join lateral (select a.number, a.time from anchor a where a.chain_id = p.chain_id and a.stream = p.stream
      order by a.number desc limit 1) a on true
    order by p.chain_id, p.short_id`);
  return rows.map(({ chain_id, short_id, age, readings, batches }) => ({
    chainId: Number(chain_id),
    shortId: short_id,
    ageSeconds: Number(age),
    readings: Number(readings),
    batches: Number(batches),
  }));
}

/** Reads which process leads each of these works. */
export async function leaders(orm: Orm, works: readonly string[]): Promise<Leader[]> {
  const { rows } = await orm.execute<{ work: string; leader: string }>(sql`
    select work, leader from leadership where until > now()
    union all select 'chain ' || chain_id, lease_owner::text from chain_cursor where lease_until > now()`);
  const found = new Map(rows.map(({ work, leader }) => [work, leader]));
  return works.map((work) => ({ work, instance: found.get(work) ?? null }));
}

const state = sql<"failing" | "abandoned">`case when failed_time is null then 'failing' else 'abandoned' end`;
const isTroubled = sql`(failed_time is not null or ${isFailing})`;

/** Reads the jobs that fail, then those that were given up, the newest first. */
export async function troubledJobs(orm: Orm, most: number): Promise<OperatorStatus["troubled_jobs"]> {
  type Row = Pick<OperatorStatus["troubled_jobs"][number], "kind" | "state" | "request_id"> & {
    id: string;
    tries: number;
    reason: string | null;
    created: string;
    at: string;
  };
  const { rows } = await orm.execute<Row>(sql`
    select id, kind, ${state} as state, attempts as tries, last_error as reason, request_id, create_time as created,
      coalesce(failed_time, run_at) as at
    from job where ${isTroubled} order by failed_time is not null, failed_time desc, id desc limit ${most}`);
  return rows.map(({ id, kind, state, tries, reason, request_id, created, at }) => ({
    id: Number(id),
    ...{ kind, state, tries, request_id },
    reason: (reason ?? "").slice(0, REASON_MAX),
    created_at: Number(created),
    at: Number(at),
  }));
}

const REASON_MAX = 500;

/** Makes the jobs that fail or were given up due now, with no failed tries. Returns their number. */
export async function retryJobs(
  orm: Orm,
  { id, kind }: { id?: number | undefined; kind?: string | undefined },
): Promise<number> {
  const { rows } = await orm.execute(sql`
    update job set run_at = ${now}, failed_time = null, attempts = 0, lease_until = null, lease_owner = null
    where ${isTroubled} and coalesce(lease_until, 0) < ${now}
      ${id === undefined ? sql`` : sql`and id = ${id}`} ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
    returning id`);
  return rows.length;
}
