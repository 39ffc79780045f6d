import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { openTestDatabase } from "../support/databases.ts";
import { derivedTables, rowCount } from "./tables.ts";
import { playLife } from "./termLife.ts";
import { openTermDeposit } from "./termWorld.ts";
import { caughtUp, indexerOf, openWorld, type RunningIndexer, reindex, type World } from "./world.ts";

let world: World;
let dbs: Database[];
let indexers: RunningIndexer[];

/** Both kinds of database follow the same chain at once, so that it is played once. */
beforeAll(async () => {
  world = await openWorld();
  dbs = [await openTestDatabase("embedded"), await openTestDatabase("server")];
  indexers = dbs.map((db) => indexerOf(world, db));
});
afterAll(async () => {
  for (const indexer of indexers) await indexer.stop();
  for (const db of dbs) await db.close();
  await world.stop();
});

const everyoneCaughtUp = () => Promise.all(indexers.map((indexer) => caughtUp(world, indexer)));

it("a branch that replaces a time deposit's life, from its opening to its winding down, leaves nothing of it", async () => {
  const unlisted = await world.snapshot();
  const deposits = await openTermDeposit(world);
  for (const indexer of indexers) await indexer.start();
  await everyoneCaughtUp();
  const listed = await world.snapshot();
  await playLife(world, deposits, "lost", { moves: 6, end: "loss" });
  await everyoneCaughtUp();
  const lost = await derivedTables(dbs[0] as Database);

  await world.revert(listed);
  await playLife(world, deposits, "kept", { moves: 10, end: "demand" });
  await everyoneCaughtUp();
  for (const [index, db] of dbs.entries()) {
    await indexers[index]?.stop();
    const followed = await derivedTables(db);
    expect(followed.receipt).not.toEqual(lost.receipt);
    expect(rowCount(followed)).toBeGreaterThan(150);
    await reindex(world, db);
    expect(await derivedTables(db)).toEqual(followed);
  }

  // And one on which the product was never listed.
  indexers = dbs.map((db) => indexerOf(world, db));
  for (const indexer of indexers) await indexer.start();
  await everyoneCaughtUp();
  await world.revert(unlisted);
  await world.mine([world.deposit(0, 0, 50_000_000n)]);
  await everyoneCaughtUp();
  for (const db of dbs) {
    const tables = await derivedTables(db);
    for (const table of ["product", "term_state", "term", "receipt"]) {
      const rows = (tables[table] ?? []) as { address?: string; product?: string }[];
      // The local chain has time deposits of its own, which stay.
      const left = rows.filter((row) => (row.product ?? row.address) === deposits.address.toLowerCase());
      expect(left, table).toEqual([]);
    }
  }
}, 180_000);
