import { sql } from "drizzle-orm";
import { keccak256, stringToHex } from "viem";
import { beforeAll, expect, it } from "vitest";
import { auditDocuments } from "../../src/audit/documents.ts";
import type { Database } from "../../src/db/database.ts";
import { productState } from "../../src/indexer/schema.ts";
import { storeDocument } from "../../src/product/documentStore.ts";
import { withDatabase } from "../support/databases.ts";
import { addresses, CHAIN, collect, tampered } from "./world.ts";

withDatabase("the audit of product documents", (open) => {
  const texts = ["first", "second", "never listed"];
  const hashes = texts.map((text) => keccak256(stringToHex(text)));
  let db: Database;
  beforeAll(async () => {
    db = await open();
    for (const [index, text] of texts.entries()) {
      const hash = hashes[index] ?? "0x";
      await storeDocument(db.orm, { hash, content: Buffer.from(text) }, index);
      const row = { chainId: CHAIN, block: index, logIndex: 0, time: 1, product: addresses.tide, status: 0 };
      if (index < 2) await db.orm.insert(productState).values({ ...row, metadataHash: hash });
    }
  });
  const audit = (one: Pick<Database, "orm" | "transaction">) => auditDocuments({ db: one });

  it("finds no difference in documents as they were stored", async () => {
    expect(await collect(auditDocuments({ db }))).toEqual({ compared: 3, differences: [] });
    expect((await collect(auditDocuments({ db, since: 1 }))).compared).toBe(2);
  });

  it("finds another content under a hash that the registry commits to", async () => {
    const changed = await tampered(
      db,
      [sql`update product_document set content = 'first?' where hash = ${hashes[0]}`],
      audit,
    );
    expect(changed).toEqual([
      {
        table: "product_document",
        row: `document ${hashes[0]}`,
        column: "content",
        expected: hashes[0],
        found: keccak256(stringToHex("first?")),
        product: addresses.tide,
      },
    ]);
  });

  it("finds a document under another hash than its own", async () => {
    const other = `0x${"1".repeat(64)}`;
    const changed = await tampered(
      db,
      [sql`update product_document set hash = ${other} where hash = ${hashes[1]}`],
      audit,
    );
    expect(changed).toMatchObject([{ row: `document ${other}`, column: "hash", expected: hashes[1], found: other }]);
  });

  it("finds two exchanged documents", async () => {
    const swap = sql`update product_document as d set content = o.content from product_document as o
      where d.hash in (${hashes[0]}, ${hashes[1]}) and o.hash in (${hashes[0]}, ${hashes[1]}) and o.hash <> d.hash`;
    expect((await tampered(db, [swap], audit)).map(({ column }) => column)).toEqual(["content", "content"]);
  });
});
