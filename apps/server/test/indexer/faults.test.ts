import { randomUUID } from "node:crypto";
import type { Hex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { Random } from "../../../../devnet/src/random.ts";
import type { Database } from "../../src/db/database.ts";
import type { Indexer } from "../../src/indexer/indexer.ts";
import { chainCursor } from "../../src/indexer/schema.ts";
import { createIndexerStore, forgetChain, LeaseLost } from "../../src/indexer/store.ts";
import { noRows } from "../../src/indexer/world.ts";
import { withDatabase } from "../support/databases.ts";
import { derivedTables, rowCount } from "./tables.ts";
import { CHAIN_ID, caughtUp, indexerOf, openWorld, reindex, tamperingClient, type World } from "./world.ts";

const BLOCKS = 24;

let world: World;
let origin: Hex;
beforeAll(async () => {
  world = await openWorld();
  for (let i = 0; i < BLOCKS; i += 1) {
    await world.mine([
      world.deposit(i % 5, i % 3, 20_000_000n + BigInt(i)),
      world.deposit((i + 1) % 5, i % 3, 11_000_000n),
    ]);
  }
  origin = await world.snapshot();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.revert(origin);
  origin = await world.snapshot();
});

withDatabase("indexer under faults", (open) => {
  let db: Database;
  let truth: Record<string, unknown[]>;
  const running: Indexer[] = [];

  beforeAll(async () => {
    db = await open();
    await reindex(world, db);
    truth = await derivedTables(db);
    expect(rowCount(truth)).toBeGreaterThan(3 * BLOCKS);
  });
  beforeEach(() => forgetChain(db, CHAIN_ID));
  afterEach(async () => {
    for (const indexer of running.splice(0)) await indexer.stop();
  });

  async function start(options: Parameters<typeof indexerOf>[2] = {}) {
    const indexer = indexerOf(world, db, options);
    running.push(indexer);
    await indexer.start();
    return indexer;
  }

  it("is exact even if the node fails now and then", async () => {
    const random = new Random("node errors");
    let failed = 0;
    const client = tamperingClient(world, (args, ask) => {
      if (!random.chance(80)) return ask(args);
      failed += 1;
      throw new Error("upstream timed out");
    });
    await caughtUp(world, await start({ client, settings: { confirmations: 12, span: 6 } }));
    expect(failed).toBeGreaterThan(0);
    expect(await derivedTables(db)).toEqual(truth);
  });

  it("reads narrower ranges if the node rejects wide ones", async () => {
    let widest = 0;
    const client = tamperingClient(world, (args, ask) => {
      const [filter] = (args.params ?? []) as [{ fromBlock?: Hex; toBlock?: Hex }];
      if (args.method === "eth_getLogs" && filter.fromBlock && filter.toBlock) {
        const width = Number(filter.toBlock) - Number(filter.fromBlock) + 1;
        if (width > 5) throw new Error("query returned more than 10000 results");
        widest = Math.max(widest, width);
      }
      return ask(args);
    });
    await caughtUp(world, await start({ client, settings: { confirmations: 2 } }));
    expect(widest).toBeGreaterThan(1);
    expect(await derivedTables(db)).toEqual(truth);
  });

  it("requests headers if the node's logs have no time", async () => {
    const client = tamperingClient(world, async (args, ask) => {
      const answer = await ask(args);
      if (args.method !== "eth_getLogs") return answer;
      return (answer as object[]).map((log) => ({ ...log, blockTimestamp: undefined }));
    });
    await caughtUp(world, await start({ client }));
    expect(await derivedTables(db)).toEqual(truth);
  });

  it("accepts no logs of another block than the requested one", async () => {
    let wrong = 3;
    const client = tamperingClient(world, async (args, ask) => {
      const [filter] = (args.params ?? []) as [{ blockHash?: Hex }];
      if (args.method !== "eth_getLogs" || !filter.blockHash || wrong === 0) return ask(args);
      wrong -= 1;
      const { hash } = await world.client.getBlock({ blockNumber: 12n });
      return ask({ ...args, params: [{ ...filter, blockHash: hash }] });
    });
    await caughtUp(world, await start({ client, settings: { confirmations: 30 } }));
    expect(wrong).toBe(0);
    expect(await derivedTables(db)).toEqual(truth);
  });

  it("asks again if a block that must contain logs is answered without them", async () => {
    let hidden = 4;
    const client = tamperingClient(world, async (args, ask) => {
      const [filter] = (args.params ?? []) as [{ blockHash?: Hex }];
      if (args.method !== "eth_getLogs" || !filter.blockHash || hidden === 0) return ask(args);
      hidden -= 1;
      return [];
    });
    await caughtUp(world, await start({ client, settings: { confirmations: 30 } }));
    expect(hidden).toBe(0);
    expect(await derivedTables(db)).toEqual(truth);
  });

  it("writes nothing from a node of another chain and reports that it has no node", async () => {
    let wrong = true;
    const client = tamperingClient(world, (args, ask) =>
      wrong && args.method === "eth_chainId" ? Promise.resolve("0x1") : ask(args),
    );
    const indexer = await start({ client });
    await expect.poll(() => indexer.status().state).toBe("node_unavailable");
    expect(rowCount(await derivedTables(db))).toBe(0);
    wrong = false;
    await caughtUp(world, indexer);
    expect(await derivedTables(db)).toEqual(truth);
  });

  it("reports that the node is gone, preserves its tables, and continues when the node is back", async () => {
    let gone = false;
    const client = tamperingClient(world, (args, ask) => {
      if (gone) throw new Error("connection refused");
      return ask(args);
    });
    const indexer = await start({ client });
    await caughtUp(world, indexer);
    gone = true;
    await expect.poll(() => indexer.status().state).toBe("node_unavailable");
    await world.mine([world.deposit(0, 0, 12_000_000n)]);
    expect(await derivedTables(db)).toEqual(truth);
    gone = false;
    await caughtUp(world, indexer);
    expect((await derivedTables(db)).movement).toHaveLength((truth.movement?.length ?? 0) + 1);
  });

  it("reports a node that hangs as gone, and continues when it answers again", async () => {
    let hangs = false;
    const client = tamperingClient(world, (args, ask) => (hangs ? new Promise(() => {}) : ask(args)));
    const indexer = await start({ client, settings: { answerMs: 200 } });
    await caughtUp(world, indexer);
    hangs = true;
    await expect.poll(() => indexer.status().state).toBe("node_unavailable");
    hangs = false;
    await caughtUp(world, indexer);
    expect(await derivedTables(db)).toEqual(truth);
  });

  it("reports figures as stale while no new block comes, until one does", async () => {
    const indexer = await start({ settings: { standstillMs: 500 } });
    await expect.poll(() => indexer.status().state).toBe("stale");
    await expect
      .poll(async () => {
        await world.mine([]);
        return indexer.status().state;
      })
      .toBe("live");
  });

  it("continues after a kill at any block without a duplicate row", async () => {
    const random = new Random("kills");
    for (let kill = 0; kill < 4; kill += 1) {
      let budget = random.between(3, 40);
      const client = tamperingClient(world, (args, ask) => {
        budget -= 1;
        // Simulates a killed process: it does nothing more, and its lease is not released.
        return budget < 0 ? new Promise(() => {}) : ask(args);
      });
      const indexer = indexerOf(world, db, {
        client,
        settings: { confirmations: kill % 2 === 0 ? 45 : 2, span: 4, leaseMs: 30 },
      });
      await indexer.start();
      await expect.poll(() => budget).toBeLessThan(0);
    }
    await caughtUp(world, await start({ settings: { leaseMs: 30 } }));
    expect(await derivedTables(db)).toEqual(truth);
  });

  it("lets only the holder of the newest epoch write", async () => {
    const store = createIndexerStore(db, CHAIN_ID);
    await store.create("0x01");
    const first = await store.takeLease("11111111-1111-4111-8111-111111111111", 60_000, false);
    expect(await store.takeLease("22222222-2222-4222-8222-222222222222", 60_000, false)).toBeNull();
    const second = await store.takeLease("22222222-2222-4222-8222-222222222222", 60_000, true);
    if (first === null || second === null) throw new Error("no lease");
    const change = (epoch: number) => ({
      epoch,
      leaseMs: 60_000,
      rollbackTo: null,
      products: [],
      state: "live",
      forgetTo: -1,
      head: { number: 9, time: 90 },
      rows: noRows(),
      blocks: [{ number: 9, hash: "0x09" as Hex, time: 90 }],
      cursor: { number: 9, hash: "0x09" as Hex, time: 90 },
    });
    await expect(store.apply(change(first))).rejects.toThrow(LeaseLost);
    expect((await store.cursor())?.block).toBeNull();
    expect(await store.blocksUpTo(100)).toEqual([]);
    await expect(store.renewLease(first, 60_000, { head: null, state: "live" })).rejects.toThrow(LeaseLost);
    await store.apply(change(second));
    expect((await store.cursor())?.block).toBe(9);
  });

  it("has one writer among two processes, and the other serves the same data and takes over when it ends", async () => {
    const first = await start();
    await caughtUp(world, first);
    const taken = (await db.orm.select().from(chainCursor))[0]?.epoch ?? 0;
    const second = await start();
    await caughtUp(world, second);
    for (const indexer of [first, second]) indexer.published.length = 0;
    await world.mine([world.deposit(0, 0, 12_000_000n)]);
    await Promise.all([caughtUp(world, first), caughtUp(world, second)]);
    const epoch = (await db.orm.select().from(chainCursor))[0]?.epoch ?? 0;
    expect(epoch).toBe(taken);
    for (const indexer of [first, second]) {
      await expect.poll(() => indexer.published.filter(({ name }) => name === "transaction")).toHaveLength(1);
    }
    await first.stop();
    await world.mine([world.deposit(1, 1, 13_000_000n)]);
    await caughtUp(world, second);
    const followed = await derivedTables(db);
    await second.stop();
    await reindex(world, db);
    expect(followed).toEqual(await derivedTables(db));
  });

  it("takes over at once from a killed process on the embedded database, which has one process", async () => {
    const store = createIndexerStore(db, CHAIN_ID);
    await store.create(world.deployed.deployment.product_registry.toLowerCase() as Hex);
    const left = await store.takeLease(randomUUID(), 3_600_000, true);
    const indexer = indexerOf(world, { ...db, kind: "embedded" });
    await indexer.start();
    await caughtUp(world, indexer);
    expect((await store.cursor())?.epoch).toBe((left ?? 0) + 1);
    await indexer.stop();
  });

  it("publishes every movement, product and block after its commit", async () => {
    const indexer = await start();
    await caughtUp(world, indexer);
    indexer.published.length = 0;
    await world.mine([world.deposit(0, 0, 12_000_000n), world.deposit(1, 2, 13_000_000n)]);
    await caughtUp(world, indexer);
    expect(indexer.published.map(({ name }) => name)).toEqual([
      "transaction",
      "transaction",
      "product",
      "product",
      "block",
    ]);
    expect(indexer.published[0]?.data).toMatchObject({
      address: world.wallets[0],
      amount: "12.000000",
      status: "confirmed",
    });
  });

  it("does not overwrite the rows of another deployment", async () => {
    await createIndexerStore(db, CHAIN_ID).create(`0x${"77".repeat(20)}`);
    const indexer = await start();
    await expect.poll(() => indexer.status().state).toBe("reorg_too_deep");
    expect(rowCount(await derivedTables(db))).toBe(0);
  });
});
