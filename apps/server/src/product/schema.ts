import { pgTable } from "drizzle-orm/pg-core";
import { bytes, hex, millis } from "../db/columns.ts";

/** Every version of a product's document that any server on this database has found in its folder; none is removed. */
export const productDocument = pgTable("product_document", {
  /** keccak-256 of the bytes. */
  hash: hex("hash").primaryKey(),
  /** The file as it was. */
  content: bytes("content").notNull(),
  stored: millis("stored").notNull(),
});
