import { and, asc, eq, gt, gte } from "drizzle-orm";
import { type Hex, keccak256 } from "viem";
import type { Database } from "../db/database.ts";
import { productState } from "../indexer/schema.ts";
import { productDocument } from "../product/schema.ts";
import { compareColumns, newSlice, type Slice } from "./slice.ts";

/**
 * Compares each stored product document with the hash that it is stored under, which is the one that the registry
 * commits to. A page cannot show other content under the hash on chain.
 * @param since Unix milliseconds; only documents stored since then
 */
export async function* auditDocuments({
  db,
  since = 0,
}: {
  db: Pick<Database, "orm">;
  since?: number;
}): AsyncGenerator<Slice> {
  for (let after = ""; ; ) {
    // One at a time: a document has a few hundred kilobytes at most, and its row is never changed.
    const [row] = await db.orm
      .select()
      .from(productDocument)
      .where(and(gt(productDocument.hash, after as Hex), gte(productDocument.stored, since)))
      .orderBy(asc(productDocument.hash))
      .limit(1);
    if (row === undefined) return;
    after = row.hash;
    const slice = newSlice();
    const hash = keccak256(row.content);
    const [state] = await db.orm
      .select({ product: productState.product })
      .from(productState)
      .where(eq(productState.metadataHash, row.hash))
      .limit(1);
    const about = { table: "product_document", row: `document ${row.hash}` };
    // Under a hash that the registry commits to, the content is wrong; any other hash may be wrong itself.
    if (state) compareColumns(slice, { ...about, product: state.product.toLowerCase() }, { content: [row.hash, hash] });
    else compareColumns(slice, about, { hash: [hash, row.hash] });
    yield slice;
  }
}
