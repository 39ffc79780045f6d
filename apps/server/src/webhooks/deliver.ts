import { createHmac } from "node:crypto";
import { HOUR_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { type JobHandler, PermanentJobError, RetryAfter } from "../jobs/runner.ts";
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
/** Statuses whose Retry-After says when the receiver can answer again. */
const BUSY = new Set([429, 503]);
/** A receiver should answer before it works on the event. */
const ANSWER_MS = 15_000;

const payloadShape = z.object({ event: z.string() });

/**
 * Sends an event to WEBHOOK_URL and stores what came back. Only a status from 200 to 299 counts as a delivery. A redirect
 * is not followed, and the body of the answer is not read.
 */
export function createDelivery({ db, webhook, answerMs = ANSWER_MS, now = Date.now }: DeliveryParts): JobHandler {
  return async (payload, { attempts, signal }) => {
    const { event: id } = payloadShape.parse(payload);
    const [event] = await db.orm.select().from(webhookEvent).where(eq(webhookEvent.id, id));
    // It was deleted, or delivered by a process that ended before it could delete the job.
    if (event === undefined || event.state === "delivered") return;
    if (webhook === null) {
      await db.orm.update(webhookEvent).set({ state: "failed" }).where(eq(webhookEvent.id, id));
      throw new PermanentJobError("WEBHOOK_URL is not set any more");
    }
    const { answer, askedMs } = await post(event, webhook);
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
    throw new RetryAfter(message, Math.max(pauseMs * (0.95 + random), askedMs * (1 + random)));

    /** Returns the status, or a word for the failure that reveals nothing about the address, and the pause asked for. */
    async function post(
      { body }: { body: string },
      { url, keys }: NonNullable<Config["webhook"]>,
    ): Promise<{ answer: string; askedMs: number }> {
      const seconds = Math.floor(now() / 1_000);
      try {
        const response = await fetch(url, {
          method: "POST",
          headers: { "content-type": "application/json", ...signedHeaders({ id, seconds, body }, keys) },
          body,
          redirect: "manual",
          signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
        });
        await response.body?.cancel();
        const retryAfter = BUSY.has(response.status) ? response.headers.get("retry-after") : null;
        return { answer: String(response.status), askedMs: pauseIn(retryAfter ?? "", now()) };
      } catch (error) {
        const { name, cause } = error as Error;
        const code = (cause as NodeJS.ErrnoException | undefined)?.code;
        const isLate = name === "TimeoutError";
        return { answer: isLate ? `nothing within ${answerMs / 1_000} s` : `nothing (${code ?? name})`, askedMs: 0 };
      }
    }
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

/**
 * Returns the headers of a delivery after Standard Webhooks, with one signature for each key.
 * @param of.seconds time of this delivery, Unix seconds
 */
export function signedHeaders(
  { id, seconds, body }: { id: string; seconds: number; body: string },
  keys: readonly Buffer[],
): Record<string, string> {
  const content = `${id}.${seconds}.${body}`;
  const signatures = keys.map((key) => `v1,${createHmac("sha256", key).update(content).digest("base64")}`);
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signatures.join(" ") };
}
