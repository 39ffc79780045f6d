import { eq, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { list, listOf, statement } from "../db/statement.ts";
import { productDocument } from "./schema.ts";

export interface StoredDocument {
  hash: Hex;
  content: Uint8Array;
}

/** Stores the bytes of a document under their hash, unless the hash is already stored. */
export async function storeDocument(orm: Orm, { hash, content }: StoredDocument, now: number): Promise<void> {
  await orm.insert(productDocument).values({ hash, content, stored: now }).onConflictDoNothing();
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

/** Returns the bytes stored under a hash, or null if there are none. */
export async function documentBytes(orm: Orm, hash: Hex): Promise<Uint8Array | null> {
  const [row] = await orm
    .select({ content: productDocument.content })
    .from(productDocument)
    .where(eq(productDocument.hash, hash));
  return row?.content ?? null;
}
