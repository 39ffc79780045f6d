import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { openTestDatabase } from "../support/databases.ts";
import { derivedTables, rowCount } from "./tables.ts";
import { runSimulation } from "./termLife.ts";
import { openTermDeposit } from "./termWorld.ts";
import { caughtUp, indexerOf, openWorld, type RunningIndexer, reindex, type World } from "./world.ts";

let world: World;
let db: Database;
let indexer: RunningIndexer;

beforeAll(async () => {
  world = await openWorld();
  db = await openTestDatabase();
  indexer = indexerOf(world, db);
});
afterAll(async () => {
  await indexer?.stop();
  await db?.close();
  await world?.stop();
});

it("a branch that replaces a time deposit's life, from its opening to its winding down, removes all of it", async () => {
  const unlisted = await world.snapshot();
  const deposits = await openTermDeposit(world);
  await indexer.start();
  await caughtUp(world, indexer);
  const listed = await world.snapshot();
  await runSimulation(world, deposits, "lost", { moves: 6, end: "loss" });
  await caughtUp(world, indexer);
  const lost = await derivedTables(db);

  await world.revert(listed);
  await runSimulation(world, deposits, "kept", { moves: 10, end: "demand" });
  await caughtUp(world, indexer);
  await indexer.stop();
  const followed = await derivedTables(db);
  expect(followed.receipt).not.toEqual(lost.receipt);
  expect(rowCount(followed)).toBeGreaterThan(150);
  await reindex(world, db);
  expect(await derivedTables(db)).toEqual(followed);

  // On the next branch, the product is never listed.
  indexer = indexerOf(world, db);
  await indexer.start();
  await caughtUp(world, indexer);
  await world.revert(unlisted);
  await world.mine([world.deposit(0, 0, 50_000_000n)]);
  await caughtUp(world, indexer);
  const tables = await derivedTables(db);
  for (const table of ["product", "term_state", "term", "receipt"]) {
    const rows = (tables[table] ?? []) as { address?: string; product?: string }[];
    // The local chain's own time deposits remain.
    const left = rows.filter((row) => (row.product ?? row.address) === deposits.address.toLowerCase());
    expect(left, table).toEqual([]);
  }
});
