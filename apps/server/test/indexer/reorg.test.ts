import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { forgetChain, rewindChain } from "../../src/indexer/store.ts";
import { withDatabase } from "../support/databases.ts";
import { derivedTables, rowCount } from "./tables.ts";
import {
  caughtUp,
  indexerOf,
  openWorld,
  type RunningIndexer,
  reindex,
  tamperingClient,
  WALLETS,
  type World,
} from "./world.ts";

let world: World;
let origin: `0x${string}`;

beforeAll(async () => {
  world = await openWorld();
  origin = await world.snapshot();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.revert(origin);
  origin = await world.snapshot();
});

/** Blocks with a movement in each; `salt` makes branches differ. */
async function mineBranch(blocks: number, salt: bigint): Promise<void> {
  for (let i = 0; i < blocks; i += 1) {
    const wallet = (i + Number(salt)) % WALLETS;
    const calls = [world.deposit(wallet, i % 3, 50_000_000n + salt * 1_000n + BigInt(i))];
    if (i % 4 === 3) calls.push(await world.report(i % 3, 1n));
    await world.mine(calls);
    if (i % 5 === 2) {
      const shares = await world.shares(wallet, i % 3);
      await world.mine([
        world.transfer(wallet, (wallet + 1) % WALLETS, i % 3, shares / 3n),
        world.redeem(wallet, i % 3, shares / 5n),
      ]);
      i += 1;
    }
  }
}

withDatabase("the indexer in a reorg", (open) => {
  let db: Database;
  let indexer: RunningIndexer;
  beforeAll(async () => {
    db = await open();
  });
  afterEach(async () => {
    await indexer.stop();
    await forgetChain(db, 31337);
  });

  async function start(settings = {}): Promise<void> {
    indexer = indexerOf(world, db, { settings });
    await indexer.start();
    await caughtUp(world, indexer);
  }

  async function expectExact(): Promise<void> {
    const followed = await derivedTables(db);
    await indexer.stop();
    await reindex(world, db);
    const anew = await derivedTables(db);
    expect(rowCount(anew)).toBeGreaterThan(20);
    expect(followed).toEqual(anew);
  }

  it("leaves out no block when rows above a block that is not applied are deleted", async () => {
    await mineBranch(6, 1n);
    await start();
    await indexer.stop();
    await mineBranch(6, 1n);
    const { number, hash, time } = await world.head();
    await rewindChain(db, 31337, { number, hash, time });
    await start();
    await expectExact();
  });

  for (const depth of [1, 2, 5, 20]) {
    it(`follows a branch that replaces ${depth} blocks across a restart`, async () => {
      await mineBranch(6, 1n);
      await start();
      const fork = await world.snapshot();
      await mineBranch(depth, 2n);
      await caughtUp(world, indexer);
      await indexer.stop();
      await world.revert(fork);
      await mineBranch(depth + 2, 3n);
      await start();
      await expectExact();
    });

    it(`follows a branch that replaces ${depth} blocks while it runs`, async () => {
      await mineBranch(6, 1n);
      await start();
      const fork = await world.snapshot();
      await mineBranch(depth, 2n);
      await caughtUp(world, indexer);
      await world.revert(fork);
      await mineBranch(depth, 4n);
      await caughtUp(world, indexer);
      await expectExact();
    });
  }

  it("publishes a block even if the confirmation of its commit was late", async () => {
    let failing = false;
    const transaction: Database["transaction"] = async (work, isolation) => {
      const answer = await db.transaction(work, isolation);
      if (!failing) return answer;
      failing = false;
      throw new Error("the connection is lost");
    };
    indexer = indexerOf(world, { ...db, transaction });
    await indexer.start();
    await caughtUp(world, indexer);
    failing = true;
    await world.mine([world.deposit(0, 0, 12_000_000n)]);
    await caughtUp(world, indexer);
    expect(failing).toBe(false);
    expect(indexer.published.map(({ name }) => name)).toContain("transaction");
  });

  it("removes blocks that the only node of a chain has lost", async () => {
    await mineBranch(3, 1n);
    await start();
    const before = await derivedTables(db);
    const fork = await world.snapshot();
    await mineBranch(5, 2n);
    await caughtUp(world, indexer);
    await world.revert(fork);
    await caughtUp(world, indexer);
    expect(await derivedTables(db)).toEqual(before);
  });

  it("does not change its tables while a late node answers an older head, and continues when the node has caught up", async () => {
    await mineBranch(3, 1n);
    await start({ soleNode: false, behindMs: 50 });
    const fork = await world.snapshot();
    await mineBranch(4, 2n);
    await caughtUp(world, indexer);
    const full = await derivedTables(db);
    const cursor = indexer.status().cursor;
    await world.revert(fork);
    await expect.poll(() => indexer.status().state).toBe("stale");
    expect(indexer.status().cursor).toEqual(cursor);
    expect(await derivedTables(db)).toEqual(full);
    await mineBranch(6, 3n);
    await caughtUp(world, indexer);
    await expectExact();
  });

  it("removes a product that was listed on the lost branch, with its whole history", async () => {
    await mineBranch(6, 1n);
    const vault = await world.createVault();
    await world.mine([vault.call]);
    await start();
    const before = await derivedTables(db);
    const fork = await world.snapshot();
    await world.mine([world.list("late-product", vault.address)]);
    await caughtUp(world, indexer);
    const listed = await derivedTables(db);
    expect(listed.product).toHaveLength((before.product?.length ?? 0) + 1);
    // The vault emitted its limits before it was listed.
    expect(listed.vault_state?.length).toBe((before.vault_state?.length ?? 0) + 3);
    await world.revert(fork);
    await world.mine();
    await caughtUp(world, indexer);
    expect(await derivedTables(db)).toEqual(before);
    await world.mine([world.list("later-product", vault.address)]);
    await caughtUp(world, indexer);
    await expectExact();
  });

  describe("on a process that only follows", () => {
    let follower: RunningIndexer;
    /** While it is pending, the writer waits for its node. */
    let node: Promise<void>;
    /** Called with each block that the writer requests, before its node answers. */
    let holdAt: (block: number) => Promise<void>;
    afterEach(() => follower.stop());

    async function startBoth(settings = {}): Promise<void> {
      node = Promise.resolve();
      holdAt = async () => {};
      const client = tamperingClient(world, async (args, ask) => {
        await node;
        const [of] = (args.params ?? []) as unknown[];
        if (args.method === "eth_getBlockByNumber" && of !== "latest") await holdAt(Number(of));
        return ask(args);
      });
      indexer = indexerOf(world, db, { client, settings: { leaseMs: 60_000, ...settings } });
      await indexer.start();
      await caughtUp(world, indexer);
      follower = indexerOf(world, db, { settings });
      await follower.start();
      await caughtUp(world, follower);
    }
    /** Makes changes that the writer finds at once, and waits until both processes have published them. */
    async function publishedOf(change: () => Promise<void>): Promise<void> {
      let go = () => {};
      node = new Promise((resolve) => (go = resolve));
      indexer.published.length = 0;
      follower.published.length = 0;
      await change();
      go();
      await Promise.all([caughtUp(world, indexer), caughtUp(world, follower)]);
      const { number } = await world.head();
      await expect.poll(() => dataOf(follower, "block").at(-1)?.block).toBe(number);
    }
    const dataOf = ({ published }: RunningIndexer, wanted: string) =>
      published
        .filter(({ name }) => name === wanted)
        .map(({ data }) => data as { block: number; short_id: string; amount: string });
    /** The writer's node withholds blocks above this one until the follower has published it. */
    function holdAfter(block: number): () => Promise<void> {
      let goOn = () => {};
      const held = new Promise<void>((resolve) => (goOn = resolve));
      holdAt = (asked) => (asked > block ? held : Promise.resolve());
      return () => vi.waitFor(() => expect(dataOf(follower, "block").at(-1)?.block).toBe(block), 15_000).then(goOn);
    }
    const productsOf = (of: RunningIndexer) => dataOf(of, "product").map(({ short_id }) => short_id);

    for (const [name, length] of [
      ["a shorter", 2],
      ["an equally long", 4],
      ["a longer", 6],
    ] as const) {
      it(`publishes every product and the movements of ${name} branch`, async () => {
        await startBoth({ confirmations: 12 });
        const fork = await world.snapshot();
        await publishedOf(async () => {
          for (let n = 0; n < 4; n += 1) await world.mine([world.deposit(0, 0, 12_000_000n)]);
        });
        expect(productsOf(follower)).toContain(world.shortIds[0]);
        await publishedOf(async () => {
          await world.revert(fork);
          await world.mine([world.deposit(1, 1, 77_000_000n)]);
          for (let n = 1; n < length; n += 1) await world.mine([], 13);
        });
        expect(productsOf(follower)).toEqual(expect.arrayContaining(world.shortIds));
        expect(new Set(productsOf(follower))).toEqual(new Set(productsOf(indexer)));
        expect(dataOf(follower, "transaction").map(({ amount }) => amount)).toContain("77.000000");
      });
    }

    it("publishes a full reload if a branch has lost a movement, as the writer does", async () => {
      await startBoth();
      const fork = await world.snapshot();
      await publishedOf(() => world.mine([world.deposit(0, 0, 12_000_000n)]));
      for (const of of [indexer, follower]) expect(dataOf(of, "reset")).toEqual([]);
      await publishedOf(async () => {
        await world.revert(fork);
        await world.mine([], 13);
      });
      for (const of of [indexer, follower]) {
        expect(dataOf(of, "transaction")).toEqual([]);
        expect(dataOf(of, "reset")).toEqual([{}]);
      }
    });

    it("publishes a full reload if blocks came in ranges, as the writer does", async () => {
      await startBoth({ confirmations: 3 });
      const { number } = await world.head();
      const passed = holdAfter(number + 28);
      await publishedOf(async () => {
        await world.mine([world.deposit(0, 0, 12_000_000n)]);
        for (let n = 0; n < 30; n += 1) await world.mine();
        void passed();
      });
      for (const of of [indexer, follower]) {
        expect(dataOf(of, "transaction")).toEqual([]);
        await expect.poll(() => dataOf(of, "reset")).toEqual([{}]);
      }
    });

    it("publishes each of several blocks and stays live while the writer writes them one by one", async () => {
      await startBoth();
      const states = new Set<string>();
      const looking = setInterval(() => states.add(follower.status().state), 1);
      const { number } = await world.head();
      const passed = holdAfter(number + 1);
      await publishedOf(async () => {
        for (const amount of [1n, 2n, 3n]) await world.mine([world.deposit(0, 0, 12_000_000n + amount)]);
        void passed();
      });
      clearInterval(looking);
      expect(dataOf(follower, "transaction").map(({ amount }) => amount)).toEqual([
        "12.000001",
        "12.000002",
        "12.000003",
      ]);
      expect([...states]).toEqual(["live"]);
    });

    it("publishes the last commits of the previous writer when it takes over", async () => {
      await startBoth();
      await follower.stop();
      follower = indexerOf(world, db, { settings: { pollMs: 1_500 } });
      await follower.start();
      await caughtUp(world, follower);
      await world.mine([world.deposit(0, 0, 12_000_000n)]);
      await caughtUp(world, indexer);
      await indexer.stop();
      await expect.poll(() => dataOf(follower, "transaction").length).toBe(1);
      const { number } = await world.head();
      expect(dataOf(follower, "block").map(({ block }) => block)).toEqual([number]);
    });

    it("publishes no unchanged product, for any number of missed blocks", async () => {
      await startBoth({ confirmations: 1, keepBlocks: 8 });
      await publishedOf(() => world.mine([world.deposit(0, 1, 12_000_000n)]));
      expect(productsOf(follower)).toEqual([world.shortIds[1]]);
      await publishedOf(async () => {
        for (let n = 0; n < 30; n += 1) await world.mine();
      });
      expect(productsOf(follower)).toEqual([]);
    });
  });

  it("stops, reports it and writes nothing if the branch is deeper than the stored hashes", async () => {
    await mineBranch(4, 1n);
    const fork = await world.snapshot();
    await mineBranch(16, 2n);
    await start({ keepBlocks: 8 });
    const full = await derivedTables(db);
    await world.revert(fork);
    await mineBranch(20, 3n);
    await expect.poll(() => indexer.status().state).toBe("reorg_too_deep");
    expect(await derivedTables(db)).toEqual(full);
    await indexer.stop();
    await reindex(world, db);
    await start();
    expect(await derivedTables(db)).not.toEqual(full);
  });
});
