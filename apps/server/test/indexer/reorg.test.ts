import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { forgetChain } from "../../src/indexer/store.ts";
import { withDatabase } from "../support/databases.ts";
import { derivedTables, rowCount } from "./tables.ts";
import { caughtUp, indexerOf, openWorld, type RunningIndexer, reindex, WALLETS, type World } from "./world.ts";

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
