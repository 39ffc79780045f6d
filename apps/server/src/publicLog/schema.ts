import { sql } from "drizzle-orm";
import { bigint, bigserial, boolean, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytes, hex, millis } from "../db/columns.ts";

const count = (name: string) => bigint(name, { mode: "number" });

/** The log of this instance: one row. A writer of checkpoints locks it. */
export const publicLog = pgTable("public_log", {
  id: integer("id").primaryKey(),
  /** The name of the log and of its key in checkpoints. It never changes. */
  origin: text("origin").notNull(),
  /** The seed of the Ed25519 key, sealed. */
  seed: bytes("seed").notNull(),
  /** The number of entries in the tree, and the checkpoint that says so. */
  size: count("size").notNull(),
  checkpoint: text("checkpoint").notNull(),
});

/** The entries of the log. A row is written in the transaction of the change that it is about, and never changed again. */
export const publicLogEntry = pgTable(
  "public_log_entry",
  {
    /** The order of writing, in which entries get their index. */
    arrival: bigserial("arrival", { mode: "number" }).primaryKey(),
    /** The place in the tree, from 0. Null until the next checkpoint. */
    index: count("index").unique(),
    kind: text("kind").notNull(),
    subject: text("subject").notNull(),
    version: integer("version").notNull(),
    /** The bytes whose hash is the leaf. */
    content: bytes("content").notNull(),
    /** Keyed hash of the bytes, without which no entry enters the tree. */
    mac: text("mac").notNull(),
    /** True if the keyed hash is wrong: somebody else wrote this row. */
    refused: boolean("refused").notNull().default(false),
  },
  (table) => [
    uniqueIndex("public_log_entry_version")
      .on(table.kind, table.subject, table.version)
      .where(sql`not ${table.refused}`),
  ],
);

/** The hashes of the tree: level 0 holds the leaves, each further level one hash for 256 of the level below. */
export const publicLogNode = pgTable(
  "public_log_node",
  { level: integer("level").notNull(), index: count("index").notNull(), hash: bytes("hash").notNull() },
  (table) => [primaryKey({ columns: [table.level, table.index] })],
);

/** Acts that were accepted in the last minutes, so that none is accepted twice. */
export const operatorAct = pgTable("operator_act", {
  commitment: hex("commitment").primaryKey(),
  time: millis("time").notNull(),
});
