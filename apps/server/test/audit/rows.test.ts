import { recompute } from "@aqua/sdk/audit/recompute";
import type { Rows } from "@aqua/sdk/audit/rows";
import { beforeAll, expect, it, vi } from "vitest";
import { Random } from "../../../../devnet/src/random.ts";
import { compareRows, rowsBeyond } from "../../src/audit/rows.ts";
import type { Database, Orm } from "../../src/db/database.ts";
import { createIndexer } from "../../src/indexer/indexer.ts";
import { clientOf, type History, makeHistory } from "../indexer/history.ts";
import { silent } from "../indexer/world.ts";
import { withDatabase } from "../support/databases.ts";
import { type ChainTable, chainTables, changeKinds, changeRows } from "./changes.ts";

const [CHANGES, EVENTS] = process.env.AQUA_SOAK === "1" ? [500, 1_500] : [100, 400];

class Undo extends Error {}
const isTaken = (error: unknown) => ((error as Error).cause as { code?: string } | undefined)?.code === "23505";

for (const [name, chain] of Object.entries({
  "a whole history": makeHistory({ size: EVENTS }),
  "a product listed late": makeHistory({ size: EVENTS / 2, lateListing: true }),
})) {
  withDatabase(`the rows of ${name}`, (open) => {
    let db: Database;
    let rows: Rows;
    beforeAll(async () => {
      db = await open();
      await index(db, chain);
      const { deployment, head } = chain;
      rows = await recompute(
        { client: clientOf(chain) as never, chainId: deployment.chain_id, deployment },
        { to: head },
      );
    });

    async function differences(tx: Orm) {
      const { deployment, head } = chain;
      const chainId = deployment.chain_id;
      const scope = { chainId, from: null, to: head, introduced: [], unreached: [] };
      const compared = await compareRows(tx, rows, scope);
      return {
        ...compared,
        differences: [...compared.differences, ...(await rowsBeyond(tx, { chainId, cursor: head }))],
      };
    }

    it("equal the rows that the audit recomputes from the events", async () => {
      const { figures, differences: found } = await differences(db.orm);
      expect(found).toEqual([]);
      expect(figures).toBeGreaterThan(2_000);
    });

    it("differ after any change with a superuser's rights", async () => {
      const random = new Random("changes");
      const tables = Object.keys(chainTables) as ChainTable[];
      const seen = new Set<string>();
      for (let made = 0; made < CHANGES; ) {
        const table = tables[random.between(0, tables.length - 1)] as ChainTable;
        const kind = changeKinds[random.between(0, changeKinds.length - 1)] ?? "update";
        const undone = db.orm.transaction(async (tx) => {
          const change = await changeRows(tx, { kind, table }, random);
          if (change !== null) {
            const { differences: found } = await differences(tx);
            const named = found.some((one) => one.table === table);
            expect({ ...change, isFound: named }).toEqual({ ...change, isFound: true });
            seen.add(`${table} ${kind}`);
            made += 1;
          }
          throw new Undo();
        });
        await undone.catch((error: unknown) => {
          // A change of a key can meet another row. The database itself refuses it.
          if (!(error instanceof Undo) && !isTaken(error)) throw error;
        });
      }
      expect(seen.size).toBeGreaterThan(40);
    });
  });
}

async function index(db: Database, chain: History): Promise<void> {
  const { deployment, head } = chain;
  const parts = { db, client: clientOf(chain), chainId: deployment.chain_id, deployment, log: silent };
  const indexer = createIndexer({ ...parts, events: { publish: () => {} }, settings: { pollMs: 25, backoffMs: 5 } });
  await indexer.start();
  await vi.waitFor(() => expect(indexer.status()).toMatchObject({ state: "live", cursor: { block: head } }));
  await indexer.stop();
}
