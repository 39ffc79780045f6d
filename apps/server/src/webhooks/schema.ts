import type { WebhookType } from "@aqua/sdk/api/rules";
import type { webhookState } from "@aqua/sdk/api/webhooks";
import { bigint, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { millis } from "../db/columns.ts";

/** Events for the operator's system, and what became of their deliveries. Rows are stored for 30 days. */
export const webhookEvent = pgTable(
  "webhook_event",
  {
    /** Derived from the fact, so that a fact is stored once. It is the `webhook-id` of every delivery. */
    id: text("id").primaryKey(),
    type: text("type").$type<WebhookType>().notNull(),
    /** When it happened. */
    time: millis("time").notNull(),
    /** The bytes that every delivery sends. */
    body: text("body").notNull(),
    state: text("state").$type<z.infer<typeof webhookState>>().notNull().default("waiting"),
    tries: integer("tries").notNull().default(0),
    lastTry: millis("last_try"),
    lastAnswer: text("last_answer"),
    deliveredTime: millis("delivered_time"),
    createTime: millis("create_time").notNull(),
  },
  (table) => [index("webhook_event_of_time").on(table.createTime)],
);

/** The last block of a chain whose events were created. All blocks up to it are final. */
export const webhookCursor = pgTable("webhook_cursor", {
  chainId: bigint("chain_id", { mode: "number" }).primaryKey(),
  block: bigint("block", { mode: "number" }).notNull(),
});
