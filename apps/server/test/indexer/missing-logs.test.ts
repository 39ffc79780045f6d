import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { vaultState } from "../../src/indexer/schema.ts";
import { forgetChain } from "../../src/indexer/store.ts";
import { withDatabase } from "../support/databases.ts";
import { derivedTables, rowCount } from "./tables.ts";
import { CHAIN_ID, caughtUp, indexerOf, openWorld, reindex, silent, tamperingClient, type World } from "./world.ts";

/** Blocks without events before and after the last deposits; the local chain has the states of 32 blocks. */
const QUIET = 20;
const CONFIRMATIONS = 4;

let world: World;
/** The last block whose logs the lagging node has. */
let known: number;
beforeAll(async () => {
  world = await openWorld();
  await world.mine([world.deposit(0, 0, 20_000_000n), world.deposit(1, 1, 30_000_000n)]);
  await world.chain.rpc.call("anvil_mine", [`0x${QUIET.toString(16)}`]);
  known = (await world.head()).number;
  await world.mine([world.deposit(2, 0, 40_000_000n)]);
  const shares = await world.shares(0, 0);
  await world.mine([world.transfer(0, 3, 0, shares / 2n)]);
  await world.chain.rpc.call("anvil_mine", [`0x${QUIET.toString(16)}`]);
});
afterAll(() => world.stop());

/** A node that answers without an error, but has no log above block `known` until it is `complete`. */
function laggingNode({ withoutBlooms = false, withoutState = false } = {}) {
  const node = { complete: false, hidden: 0 };
  const client = tamperingClient(world, async (args, ask) => {
    const [, block] = (args.params ?? []) as unknown[];
    if (withoutState && args.method === "eth_call" && block !== "latest") {
      // The error of geth for a block whose state it has pruned.
      throw Object.assign(new Error("missing trie node"), { code: -32_000 });
    }
    const answer = await ask(args);
    if (withoutBlooms && args.method === "eth_getBlockByNumber") return { ...(answer as object), logsBloom: null };
    if (args.method !== "eth_getLogs" || node.complete) return answer;
    const logs = answer as { blockNumber: Hex }[];
    const had = logs.filter(({ blockNumber }) => Number(blockNumber) <= known);
    node.hidden += logs.length - had.length;
    return had;
  });
  return Object.assign(node, { client });
}

withDatabase("an indexer whose node lacks logs", (open) => {
  let db: Database;
  let truth: Record<string, unknown[]>;
  const running: ReturnType<typeof indexerOf>[] = [];
  beforeAll(async () => {
    db = await open();
    await reindex(world, db);
    truth = await derivedTables(db);
    expect(rowCount(truth)).toBeGreaterThan(10);
  });
  beforeEach(() => forgetChain(db, CHAIN_ID));
  afterEach(async () => {
    for (const indexer of running.splice(0)) await indexer.stop();
  });

  async function start(client = world.client, warn: (fields: object, message: string) => void = () => {}) {
    const log = { ...silent, warn };
    const indexer = indexerOf(world, db, { client, log, settings: { confirmations: CONFIRMATIONS } });
    running.push(indexer);
    await indexer.start();
    return indexer;
  }

  const ways = [
    { way: "by the blooms of the headers", settings: { withoutState: true }, state: "node_unavailable" },
    {
      way: "by the contracts' totals where headers have no bloom",
      settings: { withoutBlooms: true },
      state: "figures_differ",
    },
  ];
  for (const { way, settings, state } of ways) {
    it(`detects missing logs of a range ${way}, and reads them once the node has them`, async () => {
      const node = laggingNode(settings);
      const indexer = await start(node.client);
      await expect.poll(() => indexer.status().state).toBe(state);
      expect(node.hidden).toBeGreaterThan(0);
      // The tables may contain the logs that the node had, but no block with missing logs counts as read.
      expect(indexer.status().cursor?.block ?? 0).toBeLessThanOrEqual(known);
      node.complete = true;
      await caughtUp(world, indexer);
      expect(await derivedTables(db)).toEqual(truth);
    });
  }

  it("stops with figures_differ if the tables lack logs that the contracts' figures include, and names both figures", async () => {
    await reindex(world, db);
    const [newest] = await db.orm.select().from(vaultState).orderBy(vaultState.block);
    if (!newest) throw new Error("no vault");
    const { product } = newest;
    await db.orm.update(vaultState).set({ supply: 7n }).where(eq(vaultState.product, product));
    const said: object[] = [];
    const indexer = await start(world.client, (fields) => said.push(fields));
    await expect.poll(() => indexer.status().state).toBe("figures_differ");
    const reason = expect.stringMatching(new RegExp(`${product} holds supply \\d+, its events make supply 7$`));
    expect(said).toContainEqual(expect.objectContaining({ reason }));
  });

  it("goes live on a node without the state of past blocks, and reports what it could not compare", async () => {
    const said: string[] = [];
    const node = laggingNode({ withoutState: true });
    node.complete = true;
    const indexer = await start(node.client, (_, message) => said.push(message));
    await world.mine([world.deposit(1, 0, 50_000_000n)]);
    await caughtUp(world, indexer);
    expect(said).toContain("the node has no state to compare the tables with");
  });
});
