import { pgTable, text } from "drizzle-orm/pg-core";
import { bytes, millis } from "../db/columns.ts";

/** The keys with which this database was sealed: the one in use, and those that it replaced. */
export const secretKey = pgTable("secret_key", {
  /** `keyIdOf` the key, in hex. */
  id: text("id").primaryKey(),
  /** A replaced key, sealed with the key in use. Null for the key in use, which is only in SECRET_KEY. */
  sealed: bytes("sealed"),
  createTime: millis("create_time").notNull(),
});
