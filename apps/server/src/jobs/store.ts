import { and, eq, lte, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { list, listOf, statement } from "../db/statement.ts";
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

/** Takes work on within the caller's transaction: it will be done if and only if that commits. */
export async function enqueue(tx: Orm, { kind, payload, dedupeKey, runAt }: NewJob): Promise<void> {
  const now = Date.now();
  await tx
    .insert(job)
    .values({ kind, payload, dedupeKey: dedupeKey ?? null, runAt: runAt ?? now, createTime: now })
    .onConflictDoNothing();
}

export interface LeasedJob {
  id: number;
  kind: string;
  payload: unknown;
  /** This try included. */
  attempts: number;
}

/**
 * Takes up to `most` due jobs of these kinds for `leaseMs`, oldest first. The ids are read as an array, once: a plan may
 * run the rows of an `in` again for each job, and would then take more than `most`.
 */
export async function lease(
  orm: Orm,
  {
    kinds,
    owner,
    now,
    leaseMs,
    most,
  }: { kinds: readonly string[]; owner: string; now: number; leaseMs: number; most: number },
): Promise<LeasedJob[]> {
  const { rows } = await orm.execute<{ id: string; kind: string; payload: unknown; attempts: number }>(sql`
    update job set lease_until = ${now + leaseMs}, lease_owner = ${owner}, attempts = attempts + 1
    where id = any(array(
      select id from job
      where failed_time is null and run_at <= ${now} and (lease_until is null or lease_until <= ${now})
        and kind in (${sql.join(
          kinds.map((kind) => sql`${kind}`),
          sql`, `,
        )})
      order by run_at, id limit ${most} for update skip locked))
    returning id, kind, payload, attempts`);
  return rows.map(({ id, ...rest }) => ({ ...rest, id: Number(id) }));
}

const held = (id: number, owner: string) => and(eq(job.id, id), eq(job.leaseOwner, owner));

/** Keeps a long job for another while; false when another worker has it by now. */
export async function extend(
  orm: Orm,
  { id, owner, until }: { id: number; owner: string; until: number },
): Promise<boolean> {
  const rows = await orm.update(job).set({ leaseUntil: until }).where(held(id, owner)).returning({ id: job.id });
  return rows.length > 0;
}

export async function done(orm: Orm, id: number, owner: string): Promise<void> {
  await orm.delete(job).where(held(id, owner));
}

/** Gives a job back, to be taken again at `runAt`. */
export async function putBack(
  orm: Orm,
  { id, owner, runAt, lastError }: { id: number; owner: string; runAt: number; lastError: string },
): Promise<void> {
  await orm.update(job).set({ leaseUntil: null, leaseOwner: null, runAt, lastError }).where(held(id, owner));
}

/** Gives a job up; it is kept for the operator and its key is free again. */
export async function abandon(
  orm: Orm,
  { id, owner, now, lastError }: { id: number; owner: string; now: number; lastError: string },
): Promise<void> {
  await orm
    .update(job)
    .set({ leaseUntil: null, leaseOwner: null, dedupeKey: null, failedTime: now, lastError })
    .where(held(id, owner));
}

const firstDue = statement<{ kinds: string }, { at: string | null }>(
  "first_due_job",
  sql`select min(greatest(j.run_at, coalesce(j.lease_until, 0))) as at from job j
    where j.failed_time is null and j.kind = any(${list("kinds", "text")}::text[])`,
);

/** When the next job of these kinds is due, Unix milliseconds; null when there is none. */
export async function nextDue(orm: Orm, kinds: readonly string[]): Promise<number | null> {
  const [row] = await firstDue(orm, { kinds: listOf(kinds) });
  return row?.at == null ? null : Number(row.at);
}

/** Removes jobs that were given up before this time. */
export async function deleteAbandoned(orm: Orm, before: number): Promise<void> {
  await orm.delete(job).where(lte(job.failedTime, before));
}
