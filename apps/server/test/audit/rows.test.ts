import { recompute } from "@aqua/sdk/audit/recompute";
import { afterEach, beforeAll, expect, it } from "vitest";
import { compareRows } from "../../src/audit/rows.ts";
import type { Database } from "../../src/db/database.ts";
import { createIndexer, type Indexer } from "../../src/indexer/indexer.ts";
import { forgetChain } from "../../src/indexer/store.ts";
import { clientOf, makeHistory } from "../indexer/history.ts";
import { silent } from "../indexer/world.ts";
import { withDatabase } from "../support/databases.ts";

const history = makeHistory({ size: 2_000 });
const late = makeHistory({ size: 2_000, lateListing: true });

withDatabase("the rows of an indexed chain", (open) => {
  let db: Database;
  const running: Indexer[] = [];
  beforeAll(async () => {
    db = await open();
  });
  afterEach(async () => {
    for (const indexer of running.splice(0)) await indexer.stop();
    await forgetChain(db, history.deployment.chain_id);
  });

  for (const [name, chain] of Object.entries({ "a whole history": history, "a product listed late": late })) {
    it(`equal the recomputation of ${name}`, async () => {
      const { deployment, head } = chain;
      const chainId = deployment.chain_id;
      const client = clientOf(chain);
      const parts = { db, client, chainId, deployment, events: { publish: () => {} }, log: silent };
      const indexer = createIndexer({ ...parts, settings: { pollMs: 25, backoffMs: 5 } });
      running.push(indexer);
      await indexer.start();
      await expect.poll(() => indexer.status()).toMatchObject({ state: "live", cursor: { block: head } });
      const rows = await recompute({ client: client as never, chainId, deployment }, { to: head });
      const scope = { chainId, from: 0, to: head, cursor: head, introduced: [], unreached: [] };
      const { figures, differences } = await compareRows(db.orm, rows, scope);
      expect(differences.slice(0, 20)).toEqual([]);
      expect(figures).toBeGreaterThan(10_000);
    });
  }
});
