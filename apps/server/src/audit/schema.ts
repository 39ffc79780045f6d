import { sql } from "drizzle-orm";
import { bigint, bigserial, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { millis } from "../db/columns.ts";

/** An audit of the whole history of a chain. The newest one is extended by every new block. */
export const auditRun = pgTable(
  "audit_run",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    chainId: bigint("chain_id", { mode: "number" }).notNull(),
    startTime: millis("start_time").notNull(),
    /** When it had compared the whole history. Null while it has not. */
    endTime: millis("end_time"),
    /** The last block whose rows were compared, and when. Null before the first. */
    block: bigint("block", { mode: "number" }),
    time: millis("time"),
    /** The number of figures that were compared. */
    figures: bigint("figures", { mode: "number" }).notNull().default(sql`0`),
  },
  (table) => [index("audit_run_of_chain").on(table.chainId, table.id)],
);

/** A stored row that differed from what it must be. Public, and never deleted. */
export const auditFinding = pgTable(
  "audit_finding",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    chainId: bigint("chain_id", { mode: "number" }).notNull(),
    /** Block of the event that the row comes from. Null for a row that comes from no event. */
    block: bigint("block", { mode: "number" }),
    /** Name of the table, the row's key in words, and the column. "" for a row that is missing or must not exist. */
    table: text("table").notNull(),
    row: text("row").notNull(),
    column: text("column").notNull(),
    expected: text("expected"),
    found: text("found"),
    /** Whose figures are concerned. */
    product: text("product"),
    wallet: text("wallet"),
    device: text("device"),
    since: millis("since").notNull(),
    /** When the row was right again. Null while it is not. */
    healed: millis("healed"),
  },
  (table) => [
    uniqueIndex("audit_finding_open")
      .on(table.chainId, table.table, table.row, table.column)
      .where(sql`${table.healed} is null`),
  ],
);
