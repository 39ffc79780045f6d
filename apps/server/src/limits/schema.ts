import { bigint, index, pgTable, text } from "drizzle-orm/pg-core";
import { millis } from "../db/columns.ts";

/** Uses that are limited. They are stored here, so that limits survive a restart. */
export const limitUse = pgTable(
  "limit_use",
  {
    /**
     * The rule and the hash of the limited party, such as `login.account:…`. Never an e-mail or an address in plain
     * text.
     */
    key: text("key").primaryKey(),
    /**
     * The times of the uses in Unix milliseconds, oldest first. Uses that no longer count are removed with the next
     * use.
     */
    uses: bigint("uses", { mode: "number" }).array().notNull(),
    /** The time from which the row no longer counts and may be deleted. */
    expires: millis("expires").notNull(),
  },
  (table) => [index("limit_use_expires").on(table.expires)],
);
