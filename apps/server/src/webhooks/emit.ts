import { createHash } from "node:crypto";
import type { WebhookEvent } from "@aqua/sdk/api/webhooks";
import type { Orm } from "../db/database.ts";
import { enqueue } from "../jobs/store.ts";
import { webhookEvent } from "./schema.ts";

/** Kind of the jobs that deliver an event. */
export const DELIVERY_JOB = "webhook.deliver";

/**
 * Stores an event in the caller's transaction. It is delivered if and only if the transaction commits, and only once
 * however often it is stored. `fact` identifies it among the events of its type. Does nothing without WEBHOOK_URL.
 */
export type EmitWebhook = (tx: Orm, event: WebhookEvent & { fact: string }) => Promise<void>;

/** @param now returns Unix milliseconds */
export function createEmit(isOn: boolean, now: () => number = Date.now): EmitWebhook {
  if (!isOn) return async () => {};
  return async (tx, { fact, type, time, data }) => {
    const hash = createHash("sha256").update(`${type} ${fact}`).digest("hex");
    const id = `evt_${hash.slice(0, 32)}`;
    const body = JSON.stringify({ type, timestamp: new Date(time).toISOString(), data });
    const stored = await tx
      .insert(webhookEvent)
      .values({ id, type, time, body, createTime: now() })
      .onConflictDoNothing()
      .returning({ id: webhookEvent.id });
    if (stored.length > 0) await enqueueDelivery(tx, id);
  };
}

/** Does nothing while a job of this event waits or runs. */
export const enqueueDelivery = (tx: Orm, event: string) =>
  enqueue(tx, { kind: DELIVERY_JOB, payload: { event }, dedupeKey: `${DELIVERY_JOB} ${event}` });
