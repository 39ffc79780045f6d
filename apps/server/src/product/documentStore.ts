import { eq, sql } from "drizzle-orm";
import { type Hex, keccak256 } from "viem";
import type { Orm } from "../db/database.ts";
import { list, listOf, statement } from "../db/statement.ts";
import { productDocument } from "./schema.ts";

export interface StoredDocument {
  hash: Hex;
  content: Uint8Array;
}

/**
 * Stores the bytes of a document under their hash, in place of what somebody stored there instead. Returns false if
 * they were stored already.
 */
export async function storeDocument(orm: Orm, { hash, content }: StoredDocument, now: number): Promise<boolean> {
  const rows = await orm
    .insert(productDocument)
    .values({ hash, content, stored: now })
    .onConflictDoUpdate({
      target: productDocument.hash,
      set: { content },
      setWhere: sql`${productDocument.content} <> excluded.content`,
    })
    .returning({ hash: productDocument.hash });
  return rows.length > 0;
}

/** Returns false if somebody with access to the database changed the bytes. */
export function isIntact({ hash, content }: StoredDocument): boolean {
  return keccak256(content) === hash;
}

/** Runs with every snapshot and nearly always returns no rows. */
const others = statement<{ known: string }, StoredDocument>(
  "documents_others",
  sql`select d.hash, d.content from product_document d where d.hash <> all(${list("known", "text")}::text[])`,
);

/** Returns the stored documents whose hash is not in `known`. */
export function documentsBeside(orm: Orm, known: Iterable<Hex>): Promise<StoredDocument[]> {
  return others(orm, { known: listOf([...known]) });
}

/** Returns the bytes stored under a hash. Null if there are none, or if they are others than the hash names. */
export async function documentBytes(orm: Orm, hash: Hex): Promise<Uint8Array | null> {
  const [row] = await orm
    .select({ content: productDocument.content })
    .from(productDocument)
    .where(eq(productDocument.hash, hash));
  return row && isIntact({ hash, content: row.content }) ? row.content : null;
}
