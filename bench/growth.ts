/**
 * Measures how the reads behind the screens grow with the history: each read with a history, and with one a hundred
 * times as long, in tables of a PostgreSQL server of its own. The goal is at most twice the time.
 * Run: npm run bench -- growth [scale of the short history]
 */

import { connectDatabase } from "../apps/server/src/db/database.ts";
import { migrate } from "../apps/server/src/db/migrate.ts";
import { readsOf } from "../apps/server/test/support/growthReads.ts";
import { carryOut, fillTables, sizesOf } from "../apps/server/test/support/growthTables.ts";
import { startPostgres } from "../apps/server/test/support/startPostgres.ts";
import { printGrowth, timesOf } from "./support/reads.ts";

const scale = Number(process.argv[3] ?? 1);
const RUNS = 15;

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
    measured.push(await timesOf(readsOf(db), RUNS));
    await db.close();
  }
  const [short, long] = measured as [Map<string, number>, Map<string, number>];
  printGrowth(short, long, "time with a history 100 × as long");
} finally {
  await postgres.stop();
}
