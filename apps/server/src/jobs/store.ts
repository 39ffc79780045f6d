import { and, eq, lte, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { list, listOf, statement } from "../db/statement.ts";
import { currentRequestId } from "../requestId.ts";
import { job } from "./schema.ts";

export interface NewJob {
  kind: string;
  /** JSON. No secret and as little personal data as the work allows. */
  payload: unknown;
  /** While a job with this key is not done, enqueuing it again does nothing. */
  dedupeKey?: string;
  /** Unix milliseconds; default now. */
  runAt?: number;
}

/**
 * The database's clock in Unix milliseconds. The clocks of processes differ, and a lease must be valid for all of
 * them.
 */
const now = sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`;
const inMs = (ms: number) => sql<number>`${now} + ${Math.ceil(ms)}::bigint`;

/** Creates a job in the caller's transaction. The job runs if and only if that transaction commits. */
export async function enqueue(tx: Orm, { kind, payload, dedupeKey, runAt }: NewJob): Promise<void> {
  await tx
    .insert(job)
    .values({
      kind,
      payload,
      dedupeKey: dedupeKey ?? null,
      runAt: runAt ?? now,
      createTime: now,
      requestId: currentRequestId() ?? null,
    })
    .onConflictDoNothing();
}

export interface LeasedJob {
  id: number;
  kind: string;
  payload: unknown;
  /** Number of consecutive failed tries, including this one. */
  attempts: number;
  /** Milliseconds since it was enqueued. */
  waitedMs: number;
  /** The request that created it, if one did. */
  requestId: string | null;
}

/**
 * Leases up to `most` due jobs of these kinds for `leaseMs`, oldest first. The ids are read once, as an array. A plan
 * may run the rows of an `in` again for each job, and would then lease more than `most`.
 */
export async function lease(
  orm: Orm,
  { kinds, owner, leaseMs, most }: { kinds: readonly string[]; owner: string; leaseMs: number; most: number },
): Promise<LeasedJob[]> {
  type Row = Pick<LeasedJob, "kind" | "payload" | "attempts"> & { id: string; waited: string; request: string | null };
  const { rows } = await orm.execute<Row>(sql`
    update job set lease_until = ${inMs(leaseMs)}, lease_owner = ${owner}, attempts = attempts + 1
    where id = any(array(
      select id from job
      where failed_time is null and run_at <= ${now} and (lease_until is null or lease_until <= ${now})
        and kind in (${sql.join(
          kinds.map((kind) => sql`${kind}`),
          sql`, `,
        )})
      order by run_at, id limit ${most} for update skip locked))
    returning id, kind, payload, attempts, greatest(0, ${now} - create_time) as waited, request_id as request`);
  return rows.map(({ id, waited, request, ...rest }) => {
    return { ...rest, id: Number(id), waitedMs: Number(waited), requestId: request };
  });
}

interface HeldJob {
  id: number;
  owner: string;
}
const held = (id: number, owner: string) => and(eq(job.id, id), eq(job.leaseOwner, owner));

/** Extends the lease of a long job. Returns false if another worker holds it by now. */
export async function extend(orm: Orm, { id, owner, leaseMs }: HeldJob & { leaseMs: number }): Promise<boolean> {
  const rows = await orm
    .update(job)
    .set({ leaseUntil: inMs(leaseMs) })
    .where(held(id, owner))
    .returning({ id: job.id });
  return rows.length > 0;
}

export async function done(orm: Orm, id: number, owner: string): Promise<void> {
  await orm.delete(job).where(held(id, owner));
}

/** Releases a job, to run again after `pauseMs`. `hasFailed` says whether this try counts as a failure. */
export async function putBack(
  orm: Orm,
  { id, owner, pauseMs, lastError, hasFailed }: HeldJob & { pauseMs: number; lastError: string; hasFailed: boolean },
): Promise<void> {
  const attempts = hasFailed ? {} : { attempts: 0 };
  await orm
    .update(job)
    .set({ leaseUntil: null, leaseOwner: null, runAt: inMs(pauseMs), lastError, ...attempts })
    .where(held(id, owner));
}

/** Gives up a job. It is stored for the operator, and its key is free again. */
export async function abandon(orm: Orm, { id, owner, lastError }: HeldJob & { lastError: string }): Promise<void> {
  await orm
    .update(job)
    .set({ leaseUntil: null, leaseOwner: null, dedupeKey: null, failedTime: now, lastError })
    .where(held(id, owner));
}

const firstDue = statement<{ kinds: string }, { due: string | null }>(
  "first_due_job",
  sql`select min(greatest(j.run_at, coalesce(j.lease_until, 0))) - ${now} as due from job j
    where j.failed_time is null and j.kind = any(${list("kinds", "text")}::text[])`,
);

/**
 * Returns the milliseconds until the next job of these kinds is due: 0 or less if one is due now, null if there is
 * none.
 */
export async function nextDueIn(orm: Orm, kinds: readonly string[]): Promise<number | null> {
  const [row] = await firstDue(orm, { kinds: listOf(kinds) });
  return row?.due == null ? null : Number(row.due);
}

/** Deletes jobs that were given up before this time. */
export async function deleteAbandoned(orm: Orm, before: number): Promise<void> {
  await orm.delete(job).where(lte(job.failedTime, before));
}
