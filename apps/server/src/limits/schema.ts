import { bigint, index, pgTable, text } from "drizzle-orm/pg-core";
import { millis } from "../db/columns.ts";

/** Uses of something that is bounded, kept here so that bounds survive a restart. */
export const limitUse = pgTable(
  "limit_use",
  {
    /** Rule and hash of whom it bounds, such as `login.account:…`. Never an e-mail or an address in clear. */
    key: text("key").primaryKey(),
    /** When, Unix milliseconds, oldest first; those that count no more go with the next use. */
    uses: bigint("uses", { mode: "number" }).array().notNull(),
    /** From then on the row counts for nothing and may be removed. */
    expires: millis("expires").notNull(),
  },
  (table) => [index("limit_use_expires").on(table.expires)],
);
