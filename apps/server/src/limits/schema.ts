import { index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { millis } from "../db/columns.ts";

/** Uses of something that is bounded, counted in slices of its window, so that bounds survive a restart. */
export const limitUse = pgTable(
  "limit_use",
  {
    /** Rule and hash of whom it bounds, such as `login.account:…`. Never an e-mail or an address in clear. */
    key: text("key").notNull(),
    /** Start of the slice, Unix milliseconds. */
    slice: millis("slice").notNull(),
    uses: integer("uses").notNull(),
    /** From then on the row counts for nothing and may be removed. */
    expires: millis("expires").notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.slice] }), index("limit_use_expires").on(table.expires)],
);
