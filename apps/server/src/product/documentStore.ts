import { eq, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { list, listOf, statement } from "../db/statement.ts";
import { productDocument } from "./schema.ts";

export interface StoredDocument {
  hash: Hex;
  content: Uint8Array;
}

/** Stores the bytes of a document under their hash, unless they are there. */
export async function storeDocument(orm: Orm, { hash, content }: StoredDocument, now: number): Promise<void> {
  await orm.insert(productDocument).values({ hash, content, stored: now }).onConflictDoNothing();
}

/** Asked with each snapshot, and nearly always answered with nothing. */
const others = statement<{ known: string }, StoredDocument>(
  "documents_others",
  sql`select d.hash, d.content from product_document d where d.hash <> all(${list("known", "text")}::text[])`,
);

/** The documents that are stored beside those of `known`. */
export function documentsBeside(orm: Orm, known: Iterable<Hex>): Promise<StoredDocument[]> {
  return others(orm, { known: listOf([...known]) });
}

/** The bytes that are stored under a hash; null when none are. */
export async function documentBytes(orm: Orm, hash: Hex): Promise<Uint8Array | null> {
  const [row] = await orm
    .select({ content: productDocument.content })
    .from(productDocument)
    .where(eq(productDocument.hash, hash));
  return row?.content ?? null;
}
