import { pgTable } from "drizzle-orm/pg-core";
import { bytes, hex, millis } from "../db/columns.ts";

/**
 * Every version of a product's document that any server on this database has found in its folder. No row is removed.
 */
export const productDocument = pgTable("product_document", {
  /** keccak-256 of the bytes. */
  hash: hex("hash").primaryKey(),
  /** The original bytes of the file. */
  content: bytes("content").notNull(),
  stored: millis("stored").notNull(),
});
