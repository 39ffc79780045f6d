import { HOUR_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { type JobHandler, PermanentJobError, RetryAfter } from "../jobs/runner.ts";
import { postEvent } from "../webhookPost.ts";
import { webhookEvent } from "./schema.ts";

export interface DeliveryParts {
  db: Pick<Database, "orm">;
  /** Null without WEBHOOK_URL. */
  webhook: Config["webhook"];
  answerMs?: number;
  now?: () => number;
}

/** The schedule of Standard Webhooks: the pause after each failed try, 75.6 hours together. */
export const PAUSES_MS = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;
/** The longest time that a receiver can ask for: the longest pause of the schedule. Ten tries then end within ten days. */
const MAX_ASKED_MS = 24 * HOUR_MS;

const payloadShape = z.object({ event: z.string() });

/**
 * Sends an event to WEBHOOK_URL and stores what came back. Only a status from 200 to 299 counts as a delivery. A redirect
 * is not followed, and the body of the answer is not read.
 */
export function createDelivery({ db, webhook, answerMs, now = Date.now }: DeliveryParts): JobHandler {
  return async (payload, { attempts, signal }) => {
    const { event: id } = payloadShape.parse(payload);
    const [event] = await db.orm.select().from(webhookEvent).where(eq(webhookEvent.id, id));
    // It was deleted, or delivered by a process that ended before it could delete the job.
    if (event === undefined || event.state === "delivered") return;
    if (webhook === null) {
      await db.orm.update(webhookEvent).set({ state: "failed" }).where(eq(webhookEvent.id, id));
      throw new PermanentJobError("WEBHOOK_URL is not set any more");
    }
    const { answer, retryAfter } = await postEvent(event, webhook, { answerMs, now, signal });
    signal.throwIfAborted();
    const isDelivered = /^2\d\d$/.test(answer);
    const pauseMs = PAUSES_MS[attempts - 1];
    const time = now();
    await db.orm
      .update(webhookEvent)
      .set({
        state: isDelivered ? "delivered" : pauseMs === undefined ? "failed" : "waiting",
        tries: event.tries + 1,
        lastTry: time,
        lastAnswer: answer,
        ...(isDelivered ? { deliveredTime: time } : {}),
      })
      .where(eq(webhookEvent.id, id));
    if (isDelivered) return;
    const message = `event ${id}: the receiver at WEBHOOK_URL answered ${answer}`;
    if (pauseMs === undefined) throw new PermanentJobError(message);
    // A tenth is random, so that events that failed together do not arrive together.
    const random = Math.random() / 10;
    throw new RetryAfter(message, Math.max(pauseMs * (0.95 + random), pauseIn(retryAfter, time) * (1 + random)));
  };
}

/**
 * Returns the milliseconds from `now` (Unix milliseconds) that a Retry-After header asks for: seconds, or a date in the form
 * that RFC 9110 requires of senders. 0 for any other value, at most `MAX_ASKED_MS`.
 */
function pauseIn(retryAfter: string, now: number): number {
  if (/^\d+$/.test(retryAfter)) return Math.min(Number(retryAfter) * 1_000, MAX_ASKED_MS);
  const time = Date.parse(retryAfter);
  if (Number.isNaN(time) || new Date(time).toUTCString() !== retryAfter) return 0;
  return Math.min(Math.max(time - now, 0), MAX_ASKED_MS);
}
