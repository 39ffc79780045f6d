import { randomUUID } from "node:crypto";
import type { SecurityEvent, SecurityEventKind } from "@aqua/sdk/api/security";
import { YEAR_MS } from "@aqua/sdk/durations";
import { and, count, desc, eq, gt, lte } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { placeOf } from "./place.ts";
import { accountEvent } from "./schema.ts";
import { knownProgram, programOf } from "./userAgent.ts";

/** Milliseconds for which an owner can read events. */
export const EVENTS_MS = YEAR_MS;

/** The request an event came with. */
export interface Origin {
  ip: string;
  userAgent: string | undefined;
}

export interface NewEvent {
  accountId: string;
  kind: SecurityEventKind;
  origin: Origin | null;
  detail?: string;
  time?: number;
}

/** Writes the event in the caller's transaction: it is shown if and only if it happened. */
export async function recordEvent(tx: Orm, { accountId, kind, origin, detail, time }: NewEvent): Promise<void> {
  await tx.insert(accountEvent).values({
    id: randomUUID(),
    accountId,
    kind,
    time: time ?? Date.now(),
    userAgent: origin === null ? null : programOf(origin.userAgent),
    place: origin === null ? null : placeOf(origin.ip),
    detail: detail ?? null,
  });
}

/** A page of an account's events, newest first, and how many there are. */
export async function eventsOf(
  orm: Orm,
  accountId: string,
  { page, page_size: size }: { page: number; page_size: number },
): Promise<{ items: SecurityEvent[]; total: number }> {
  const ofAccount = eq(accountEvent.accountId, accountId);
  const [counted] = await orm.select({ total: count() }).from(accountEvent).where(ofAccount);
  const rows = await orm
    .select()
    .from(accountEvent)
    .where(ofAccount)
    .orderBy(desc(accountEvent.time), desc(accountEvent.id))
    .limit(size)
    .offset((page - 1) * size);
  const items = rows.map(({ id, time, kind, userAgent, place, detail }) => {
    return { id, time, kind, user_agent: knownProgram(userAgent), place, detail };
  });
  return { items, total: counted?.total ?? 0 };
}

/** Counts the events of a kind on the account since a time. */
export async function countEvents(
  orm: Orm,
  accountId: string,
  { kind, since }: { kind: SecurityEventKind; since: number },
): Promise<number> {
  const [counted] = await orm
    .select({ total: count() })
    .from(accountEvent)
    .where(and(eq(accountEvent.accountId, accountId), eq(accountEvent.kind, kind), gt(accountEvent.time, since)));
  return counted?.total ?? 0;
}

export async function deleteOldEvents(orm: Orm, now = Date.now()): Promise<void> {
  await orm.delete(accountEvent).where(lte(accountEvent.time, now - EVENTS_MS));
}
