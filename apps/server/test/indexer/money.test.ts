import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { desc, eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { movement, position, vaultState } from "../../src/indexer/schema.ts";
import { poolAt } from "../../src/indexer/world.ts";
import { instantCapacity } from "../../src/product/capacity.ts";
import { withDatabase } from "../support/databases.ts";
import { openQueue } from "./queue-calls.ts";
import { derivedTables } from "./tables.ts";
import { caughtUp, indexerOf, openWorld, type RunningIndexer, reindex, type World } from "./world.ts";

const DOLLAR = 1_000_000n;
const HOUR = 3_600;
let world: World;
let vault: Address;
let queue: Address;

/** A vault that deploys money, loses some of it, charges a fee and has a queue. */
beforeAll(async () => {
  world = await openWorld();
  vault = world.vaults[0] as Address;
  const calls = await openQueue(world, vault);
  queue = calls.address;
  await world.mine([world.deposit(0, 0, 6_000n * DOLLAR), world.deposit(1, 0, 4_000n * DOLLAR)]);
  await world.mine([calls.deploy(7_000n * DOLLAR)], HOUR);
  await world.mine([await world.report(0, 300_000n, HOUR)], HOUR);
  await world.mine([await world.report(0, -90n * DOLLAR, HOUR)], HOUR);
  await world.mine([calls.request(0, 5_000n * 10n ** 12n)], HOUR);
  await world.mine([await world.report(0, 0n, HOUR)], HOUR);
  await world.mine([calls.process()], HOUR);
  await world.mine([calls.repay(5_000n * DOLLAR)], HOUR);
  await world.mine([calls.process(), calls.claim(0)], HOUR);
  await world.mine([], 10 * HOUR);
});
afterAll(() => world.stop());

withDatabase("an indexed product with losses and a queue", (open) => {
  let db: Database;
  let indexer: RunningIndexer;
  beforeAll(async () => {
    db = await open();
    indexer = indexerOf(world, db);
    await indexer.start();
    await caughtUp(world, indexer);
  });
  afterAll(() => indexer.stop());

  async function latest() {
    const product = vault.toLowerCase() as Hex;
    const [row] = await db.orm
      .select()
      .from(vaultState)
      .where(eq(vaultState.product, product))
      .orderBy(desc(vaultState.block), desc(vaultState.logIndex))
      .limit(1);
    if (!row) throw new Error("no state");
    return row;
  }

  it("has the same total assets, supply, deployed money and liquidity as the chain", async () => {
    const state = await latest();
    const { time } = await world.head();
    const read = { address: vault, abi: demandVaultAbi } as const;
    const pool = poolAt(state, time);
    expect(pool.totalAssets).toBe(await world.client.readContract({ ...read, functionName: "totalAssets" }));
    expect(pool.supply).toBe(await world.client.readContract({ ...read, functionName: "totalSupply" }));
    const desk = await world.client.readContract({ ...read, functionName: "desk" });
    expect(state.deployed).toBe(desk.deployed);
    expect(state.deployed).toBe(1_910n * DOLLAR);
    expect(state.queue).toBe(queue.toLowerCase());
    const queued = await world.client.readContract({ ...read, functionName: "balanceOf", args: [queue] });
    expect(state.queued).toBe(queued);
    const liquidity = await world.client.readContract({ ...read, functionName: "instantLiquidity" });
    expect(instantCapacity(state, time)).toBe(liquidity);
    const stale = state.reportAsOf + state.maxReportAge + 1;
    expect(instantCapacity(state, stale)).toBe(0n);
  });

  it("has the exact second until which the loss closes deposits", async () => {
    const state = await latest();
    const desk = await world.client.readContract({ address: vault, abi: demandVaultAbi, functionName: "desk" });
    const until = Number(desk.lossUntil);
    const { time } = await world.head();
    expect(until).toBeGreaterThan(time);
    expect(state.lossUntil).toBe(until);
  });

  it("counts the queue's shares in the supply, but not the queue as a holder", async () => {
    const state = await latest();
    expect(state.holders).toBe(2);
    const rows = await db.orm
      .select()
      .from(position)
      .where(eq(position.wallet, queue.toLowerCase() as Hex));
    expect(rows).toEqual([]);
    const moved = await db.orm
      .select()
      .from(movement)
      .where(eq(movement.wallet, queue.toLowerCase() as Hex));
    expect(moved).toEqual([]);
  });

  it("has the same result when all blocks are read again", async () => {
    const followed = await derivedTables(db);
    await indexer.stop();
    await reindex(world, db);
    expect(await derivedTables(db)).toEqual(followed);
  });
});
