import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { KEPT_BLOCKS } from "../../src/indexer/indexer.ts";
import { chainCursor } from "../../src/indexer/schema.ts";
import type { Product } from "../../src/indexer/world.ts";
import { type Blocks, createCarried } from "../../src/product/carried.ts";
import { withDatabase } from "../support/databases.ts";

const CHAIN = 31_337;
const product = { chainId: CHAIN, address: "0xaa" } as unknown as Product;
const DEEPEST = 100_000;

/** What the chain does before a read: it grows, loses blocks to another branch, or is read again by a new writer. */
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("grow" as const), blocks: fc.integer({ min: 1, max: 900 }) }),
    fc.record({ kind: fc.constant("reorganize" as const), blocks: fc.integer({ min: 1, max: KEPT_BLOCKS }) }),
    fc.record({ kind: fc.constant("rewrite" as const), blocks: fc.integer({ min: 1, max: DEEPEST }) }),
  ),
  { minLength: 1, maxLength: 25 },
);

withDatabase("a carried state", (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    await db.orm.insert(chainCursor).values({ chainId: CHAIN, productRegistry: "0xbb", state: "live", epoch: 1 });
  });

  it("equals the state from all rows, whatever branches the chain takes, and is loaded once for each writer", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (acts) => {
        let rows: { block: number; value: number }[] = [];
        let [block, highest, epoch, value, loads] = [0, 0, 1, 0, 0];
        const between = ({ after, upTo }: Blocks) => rows.filter((row) => row.block > after && row.block <= upTo);
        const sum = (of: readonly { value: number }[]) => of.reduce((total, row) => total + row.value, 0);
        const read = createCarried({
          load: async (_tx, _of, upTo) => {
            loads += 1;
            return sum(between({ after: -1, upTo }));
          },
          rows: async (_tx, _of, blocks) => between(blocks),
          next: (state: number, more: readonly { value: number }[]) => state + sum(more),
        });
        for (const { kind, blocks } of acts) {
          if (kind !== "grow") {
            // The indexer stops at a branch that begins before the blocks whose hashes it has kept.
            const lowest = kind === "rewrite" ? 0 : Math.max(0, highest - KEPT_BLOCKS);
            block = Math.max(lowest, block - blocks);
            rows = rows.filter((row) => row.block <= block);
          }
          if (kind === "rewrite") {
            epoch += 1;
            highest = block;
          }
          // After a reorganization the other branch is a little longer, and has other rows.
          for (const end = block + (kind === "grow" ? blocks : 3); block < end; ) {
            block += 1;
            value += 1;
            if (value % 3 === 0) rows.push({ block, value });
          }
          highest = Math.max(highest, block);
          await db.orm.update(chainCursor).set({ block, epoch }).where(eq(chainCursor.chainId, CHAIN));
          expect(await read(db.orm, product)).toBe(sum(rows));
        }
        expect(loads).toBeLessThanOrEqual(epoch);
      }),
      { numRuns: 40 },
    );
  });

  it("serves a snapshot that is a few blocks older than the last one without another load", async () => {
    let loads = 0;
    const read = createCarried({
      load: async (_tx, _of, upTo) => {
        loads += 1;
        return upTo;
      },
      rows: async (_tx, _of, { upTo }) => [upTo],
      next: (_state: number, [last = -1]: readonly number[]) => last,
    });
    for (const block of [10_000, 9_998, 10_002]) {
      await db.orm.update(chainCursor).set({ block, epoch: 1 }).where(eq(chainCursor.chainId, CHAIN));
      expect(await read(db.orm, product)).toBe(block);
    }
    expect(loads).toBe(1);
  });
});
