import { bigint, index, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, hex, millis } from "../db/columns.ts";

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

/** Passkeys with which operators log in at the desk. */
export const operatorPasskey = pgTable(
  "operator_passkey",
  {
    /** The credential's id, base64url. */
    id: text("id").primaryKey(),
    operator: text("operator").notNull(),
    publicKey: bytes("public_key").notNull(),
    /** Number of signatures, as the authenticator counts them; 0 when it does not count. */
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: jsonb("transports").$type<string[]>().notNull(),
    /** Keyed hash of the operator, the id and the public key. */
    proof: text("proof").notNull(),
    createTime: millis("create_time").notNull(),
    lastUse: millis("last_use"),
  },
  (table) => [index("operator_passkey_of_operator").on(table.operator)],
);

/** Log-ins at the desk. */
export const operatorSession = pgTable("operator_session", {
  /** SHA-256 of the token, hex. */
  tokenHash: text("token_hash").primaryKey(),
  operator: text("operator").notNull(),
  createTime: millis("create_time").notNull(),
  expires: millis("expires").notNull(),
});
