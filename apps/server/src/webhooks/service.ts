import type { List } from "@aqua/sdk/api/envelope";
import type { replayBody, WebhookLine, webhookListQuery } from "@aqua/sdk/api/webhooks";
import { and, between, count, desc, eq, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { job } from "../jobs/schema.ts";
import type { Act, LogWriter } from "../publicLog/writer.ts";
import { DELIVERY_JOB, enqueueDelivery } from "./emit.ts";
import { webhookEvent } from "./schema.ts";

export interface WebhookServiceParts {
  db: Pick<Database, "orm" | "transaction">;
  /** False without WEBHOOK_URL. */
  isOn: boolean;
  writer: Pick<LogWriter, "act">;
  notifyJobs(): void;
}

export interface WebhookService {
  /** Lists events, the newest first. */
  list(query: z.output<typeof webhookListQuery>): Promise<List<WebhookLine>>;
  /**
   * Sends events again now, each with the same id and body. Returns their number.
   * @throws ApiError not_found for an id that is not stored, conflict without WEBHOOK_URL, validation_error for a span of
   *   more than `REPLAY_MAX` events
   */
  replay(which: z.output<typeof replayBody>, act: Act): Promise<number>;
}

/** Most events that one call sends again. */
const REPLAY_MAX = 10_000;

export function createWebhookService({ db, isOn, writer, notifyJobs }: WebhookServiceParts): WebhookService {
  return {
    async list({ type, state, page, page_size }) {
      const which = and(
        type === undefined ? undefined : eq(webhookEvent.type, type),
        state === undefined ? undefined : eq(webhookEvent.state, state),
      );
      const rows = await db.orm
        .select()
        .from(webhookEvent)
        .where(which)
        .orderBy(desc(webhookEvent.createTime), desc(webhookEvent.time), webhookEvent.id)
        .limit(page_size)
        .offset((page - 1) * page_size);
      const [all] = await db.orm.select({ total: count() }).from(webhookEvent).where(which);
      return { items: rows.map(lineOf), total: all?.total ?? 0, page, page_size };
    },

    async replay(which, act) {
      if (!isOn) throw new ApiError("conflict", "This site sends no webhooks: WEBHOOK_URL is not set");
      const replayed = await db.transaction(async (tx) => {
        const found = await tx
          .select({ id: webhookEvent.id })
          .from(webhookEvent)
          .where(selected(which))
          .limit(REPLAY_MAX + 1);
        if (found.length === 0 && "id" in which)
          throw new ApiError("not_found", "No event with this id is stored; events are stored for 30 days");
        if (found.length > REPLAY_MAX) {
          const message = `These are more than ${REPLAY_MAX} events; name a shorter time`;
          throw new ApiError("validation_error", message, { details: [{ path: "from", message }] });
        }
        await writer.act(tx, "POST operator/webhooks/replay", act);
        for (const { id } of found) await sendAgain(tx, id);
        return found.length;
      });
      if (replayed > 0) notifyJobs();
      return replayed;
    },
  };
}

function selected(which: z.output<typeof replayBody>): SQL | undefined {
  if ("id" in which) return eq(webhookEvent.id, which.id);
  const { from, to = Number.MAX_SAFE_INTEGER, state } = which;
  return and(between(webhookEvent.time, from, to), state === undefined ? undefined : eq(webhookEvent.state, state));
}

/** Replaces the job that waits for its next try or was given up. One that runs at this moment delivers the event. */
async function sendAgain(tx: Orm, id: string): Promise<void> {
  const now = sql`(extract(epoch from statement_timestamp()) * 1000)::bigint`;
  const ofEvent = and(eq(job.kind, DELIVERY_JOB), sql`${job.payload}->>'event' = ${id}`);
  await tx.delete(job).where(and(ofEvent, or(isNull(job.leaseUntil), lte(job.leaseUntil, now))));
  await tx.update(webhookEvent).set({ state: "waiting" }).where(eq(webhookEvent.id, id));
  await enqueueDelivery(tx, id);
}

function lineOf({
  id,
  type,
  time,
  state,
  tries,
  lastTry,
  lastAnswer,
  deliveredTime,
}: typeof webhookEvent.$inferSelect) {
  const last_try = lastTry === null ? null : { time: lastTry, answer: lastAnswer ?? "" };
  return { id, type, time, state, tries, last_try, delivered_at: deliveredTime };
}

/** Deletes events that were stored before this time, with the jobs that still wait for them. */
export async function deleteOldEvents(db: Pick<Database, "orm">, before: number): Promise<void> {
  await db.orm.delete(webhookEvent).where(lt(webhookEvent.createTime, before));
}
