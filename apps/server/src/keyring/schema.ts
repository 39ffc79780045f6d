import { pgTable, text } from "drizzle-orm/pg-core";
import { bytes, millis } from "../db/columns.ts";

/** The keys this database was sealed with: the one in use, and those it replaced. */
export const secretKey = pgTable("secret_key", {
  /** `keyIdOf`, hex. */
  id: text("id").primaryKey(),
  /** A replaced key, sealed with the one in use; null for that one, which is in SECRET_KEY alone. */
  sealed: bytes("sealed"),
  createTime: millis("create_time").notNull(),
});
