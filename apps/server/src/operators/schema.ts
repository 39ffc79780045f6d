import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { hex, millis } from "../db/columns.ts";

/** The named operators. The public log states each row. */
export const operator = pgTable("operator", {
  name: text("name").primaryKey(),
  /** Keyed hash of the token. */
  tokenHash: text("token_hash").notNull().unique(),
  /** With commas between them. */
  scopes: text("scopes").notNull(),
  /** Lower-case address of the key with which this operator signs. Null: any key of OPERATOR_KEYS. */
  address: hex("address"),
  createTime: millis("create_time").notNull(),
  /** Null: the token does not expire. */
  expireTime: millis("expire_time"),
  revokeTime: millis("revoke_time"),
});

/** The first of two operators' calls, where a scope needs two. */
export const operatorApproval = pgTable(
  "operator_approval",
  {
    /** Method and path below /api/v2/. */
    call: text("call").notNull(),
    /** SHA-256 of the body as hex. */
    bodyHash: text("body_hash").notNull(),
    operator: text("operator").notNull(),
    time: millis("time").notNull(),
  },
  (table) => [primaryKey({ columns: [table.call, table.bodyHash] })],
);
