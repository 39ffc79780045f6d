/**
 * Measures how the reads behind the screens grow with the history: each read with a history, and with one a hundred
 * times as long, in tables of a PostgreSQL server of its own. The goal is at most twice the time.
 * Run: npm run bench -- growth [scale of the short history]
 */

import { connectDatabase, type Database } from "../apps/server/src/db/database.ts";
import { migrate } from "../apps/server/src/db/migrate.ts";
import { readsOf } from "../apps/server/test/support/growthReads.ts";
import { carryOut, fillTables, sizesOf } from "../apps/server/test/support/growthTables.ts";
import { startPostgres } from "../apps/server/test/support/startPostgres.ts";
import { printGoals } from "./support/goals.ts";

const scale = Number(process.argv[3] ?? 1);
const RUNS = 15;

async function timesOf(db: Database): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (const [name, read] of Object.entries(readsOf(db))) {
    const runs: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const started = performance.now();
      await read();
      runs.push(performance.now() - started);
      // A read of seconds needs no median of fifteen.
      if (runs.length >= 3 && performance.now() - started > 2_000) break;
    }
    times.set(name, runs.sort((one, other) => one - other)[Math.floor(runs.length / 2)] ?? Number.NaN);
  }
  return times;
}

const postgres = await startPostgres(["shared_buffers=512MB", "max_wal_size=8GB"]);
try {
  const measured: Map<string, number>[] = [];
  for (const size of [scale, 100 * scale]) {
    const name = `growth_${measured.length}`;
    await carryOut(postgres.url, `create database ${name}`);
    const url = postgres.url.replace(/postgres$/, name);
    const db = await connectDatabase(url);
    await migrate(db);
    const started = performance.now();
    await fillTables(db, sizesOf(size));
    await carryOut(url, "vacuum analyze");
    console.log(`${JSON.stringify(sizesOf(size))}: filled in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
    measured.push(await timesOf(db));
    await db.close();
  }
  const [short, long] = measured as [Map<string, number>, Map<string, number>];
  for (const [name, time] of short)
    console.log(
      `${name.padEnd(30)} ${time.toFixed(1).padStart(8)} ms ${(long.get(name) ?? Number.NaN).toFixed(1).padStart(9)} ms`,
    );
  printGoals(
    [...short].map(([where, time]) => ({
      ...{ what: "time with a history 100 × as long", where, goal: 2, unit: "×" as const },
      // A tenth of a millisecond decides nothing.
      measured: Math.max(long.get(where) ?? Number.NaN, 1) / Math.max(time, 1),
    })),
  );
} finally {
  await postgres.stop();
}
