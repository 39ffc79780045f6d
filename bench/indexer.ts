/**
 * Measures the time and memory for filling the tables from a chain of events, beside fetching and decoding the
 * same events alone; on PostgreSQL with every setting that makes a commit durable. The chain is invented and served
 * over HTTP. Medians of several runs, whose tables must be equal. Run: npm run bench -- indexer [events] [runs]
 */
import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { connectDatabase } from "../apps/server/src/db/database.ts";
import { migrate } from "../apps/server/src/db/migrate.ts";
import { derivedTables, rowCount } from "../apps/server/test/indexer/tables.ts";
import { startPostgres } from "../apps/server/test/support/startPostgres.ts";
import type { Measured, Task } from "./support/indexerProcess.ts";

const EVENTS = Number(process.argv[3] ?? 103_000);
const RUNS = Number(process.argv[4] ?? 3);
const GOAL_MIB = 250;
const MIB = 2 ** 20;

type Run = Omit<Measured, "idle"> & {
  /** MiB at most beyond what the process took before it began. */
  memory: number;
};

async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`a process of the bench ended with ${code}`);
  });
  const [answer] = await Promise.race([once(child, "message"), ended]);
  return answer as Answer;
}

/** Bytes a process has in memory now: the second field of statm, in pages of 4 KiB (proc(5)). */
function memoryOf(child: ChildProcess): number {
  return Number(readFileSync(`/proc/${child.pid}/statm`, "utf8").split(" ")[1]) * 4_096;
}

async function run(task: Task): Promise<Run> {
  const child = fork(new URL("./support/indexerProcess.ts", import.meta.url));
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOf(child));
  }, 10);
  child.send(task);
  const { idle, ...taken } = await answerOf<Measured>(child);
  clearInterval(watch);
  child.disconnect();
  return { ...taken, memory: (peak - idle) / MIB };
}

/** Hashes row by row, because the text of all rows can be longer than a string may be. */
function hashOf(tables: Record<string, unknown[]>): string {
  const hash = createHash("sha256");
  for (const [name, rows] of Object.entries(tables)) {
    hash.update(name);
    for (const row of rows) hash.update(JSON.stringify(row));
  }
  return hash.digest("hex");
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function show(name: string, runs: readonly Run[], events: number): Run {
  const of = (key: keyof Run) => median(runs.map((one) => one[key]));
  const middle = { seconds: of("seconds"), cpu: of("cpu"), memory: of("memory"), longest: of("longest") };
  console.log(
    `${name.padEnd(22)} ${middle.seconds.toFixed(1)} s, ${Math.round(events / middle.seconds)} events/s, ` +
      `${middle.cpu.toFixed(1)} s of CPU, ${middle.memory.toFixed(0)} MiB over idle, ` +
      `answers nothing for ${middle.longest.toFixed(0)} ms at most`,
  );
  return middle;
}

const load = loadavg().map((one) => one.toFixed(1));
console.log(`${new Date().toISOString().slice(0, 10)}, load ${load.join(" ")}`);
const chain = fork(new URL("./support/chainProcess.ts", import.meta.url), [String(EVENTS)]);
const { size, ...served } = await answerOf<Omit<Task, "databaseUrl"> & { size: number }>(chain);
const postgres = await startPostgres([]);
const admin = await connectDatabase(postgres.url);
try {
  const floors: Run[] = [];
  const ours: Run[] = [];
  const found = new Set<string>();
  for (let number = 0; number < RUNS; number += 1) {
    floors.push(await run({ ...served, databaseUrl: null }));
    const name = `run_${number}`;
    await admin.orm.execute(`create database ${name}`);
    const databaseUrl = postgres.url.replace(/postgres$/, name);
    const db = await connectDatabase(databaseUrl);
    await migrate(db);
    ours.push(await run({ ...served, databaseUrl }));
    const tables = await derivedTables(db);
    found.add(`${rowCount(tables)} rows, SHA-256 ${hashOf(tables)}`);
    await db.close();
  }
  console.log(`${size} events in ${served.head} blocks; tables: ${[...found].join(" and ")}`);
  const floor = show("fetching and decoding", floors, size);
  const { seconds, cpu, memory } = show("into PostgreSQL", ours, size);
  const times = [seconds / floor.seconds, cpu / floor.cpu].map((one) => one.toFixed(1));
  console.log(`${times[0]} × the floor by the clock, ${times[1]} × by CPU`);
  if (found.size > 1 || memory > GOAL_MIB) {
    console.error(`The tables must be the same each time, and the memory at most ${GOAL_MIB} MiB over idle.`);
    process.exitCode = 1;
  }
} finally {
  chain.disconnect();
  await admin.close();
  await postgres.stop();
}
