import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { forgetChain } from "../../src/indexer/store.ts";
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

withDatabase("reorgs", (open) => {
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

  it("undoes what the only node of a chain has lost", async () => {
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

  it("keeps what it has while a late node answers an older head, and goes on when it has caught up", async () => {
    await mineBranch(3, 1n);
    await start({ soleNode: false, behindMs: 50 });
    const fork = await world.snapshot();
    await mineBranch(4, 2n);
    await caughtUp(world, indexer);
    const full = await derivedTables(db);
    const cursor = indexer.status().cursor;
    await world.revert(fork);
    await expect.poll(() => indexer.status().state, { timeout: 5_000 }).toBe("stale");
    expect(indexer.status().cursor).toEqual(cursor);
    expect(await derivedTables(db)).toEqual(full);
    await mineBranch(6, 3n);
    await caughtUp(world, indexer);
    await expectExact();
  });

  it("undoes a product that was listed on the lost branch, with all of its history", async () => {
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
    afterEach(() => follower.stop());

    async function startBoth(settings = {}): Promise<void> {
      node = Promise.resolve();
      const client = tamperingClient(world, async (args, ask) => {
        await node;
        return ask(args);
      });
      indexer = indexerOf(world, db, { client, settings: { leaseMs: 60_000, ...settings } });
      await indexer.start();
      await caughtUp(world, indexer);
      follower = indexerOf(world, db, { settings });
      await follower.start();
      await caughtUp(world, follower);
    }
    /** What each publishes of some changes of the chain, which the writer finds all at once. */
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

    it("publishes no product of which nothing changed, however many blocks it has not seen", async () => {
      await startBoth({ confirmations: 1, keepBlocks: 8 });
      await publishedOf(() => world.mine([world.deposit(0, 1, 12_000_000n)]));
      expect(productsOf(follower)).toEqual([world.shortIds[1]]);
      await publishedOf(async () => {
        for (let n = 0; n < 30; n += 1) await world.mine();
      });
      expect(productsOf(follower)).toEqual([]);
    });
  });

  it("stops, writes nothing and says so when the branch lies deeper than the hashes it keeps", async () => {
    await mineBranch(4, 1n);
    const fork = await world.snapshot();
    await mineBranch(16, 2n);
    await start({ keepBlocks: 8 });
    const full = await derivedTables(db);
    await world.revert(fork);
    await mineBranch(20, 3n);
    await expect.poll(() => indexer.status().state, { timeout: 5_000 }).toBe("reorg_too_deep");
    expect(await derivedTables(db)).toEqual(full);
    await indexer.stop();
    await reindex(world, db);
    await start();
    expect(await derivedTables(db)).not.toEqual(full);
  });
});
