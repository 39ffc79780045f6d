/**
 * Measures how many P-256 readings a second are received, checked and stored, on PostgreSQL (with every setting that
 * makes a commit durable) and on the embedded database, beside the machine's limits: only checking the same signatures,
 * and COPY of the same rows into a bare table. Then a year of batch files. Run: npm run bench -- telemetry
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MINUTE_MS } from "@aqua/sdk/durations";
import { type Database, openDatabase } from "../apps/server/src/db/database.ts";
import { migrate } from "../apps/server/src/db/migrate.ts";
import { createDirectory } from "../apps/server/src/telemetry/directory.ts";
import { type FormedReading, readForm } from "../apps/server/src/telemetry/form.ts";
import { createImport } from "../apps/server/src/telemetry/import.ts";
import { createIngest } from "../apps/server/src/telemetry/ingest.ts";
import { createPartitions } from "../apps/server/src/telemetry/partitions.ts";
import { isSignedBy } from "../apps/server/src/telemetry/signature.ts";
import { startPostgres } from "../apps/server/test/support/startPostgres.ts";
import { anchorAll, buildBatch, enrol, newDevice } from "../apps/server/test/telemetry/devices.ts";
import type { SignedReading } from "../packages/sdk/src/api/telemetry.ts";
import { cpuSeconds } from "./support/cpu.ts";

const DEVICES = 25;
const EACH = 1_000;
const DELIVERY = 20;
const BATCH = 24;
const GOAL = 3_000;

const folder = mkdtempSync(join(tmpdir(), "aqua-bench-"));
chmodSync(folder, 0o755);
const start = Date.now() - EACH * MINUTE_MS;
const fleet = Array.from({ length: DEVICES }, (_, index) =>
  newDevice({ name: `device-${index}`, start: start + index, step: 60_000 }),
);
const sent = await Promise.all(
  fleet.map(async (device) => {
    const readings: SignedReading[] = [];
    for (let index = 0; index < EACH; index += 1) readings.push(await device.next());
    return readings;
  }),
);
const total = DEVICES * EACH;

async function measure({
  name,
  count,
  db,
  work,
}: {
  name: string;
  count: number;
  db: Database;
  work: () => Promise<unknown>;
}) {
  const cpu = await cpuSeconds(db);
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1_000;
  const perCore = count / ((await cpuSeconds(db)) - cpu);
  const rate = count / seconds;
  const figures = [rate, perCore].map((one) => Math.round(one).toString().padStart(8));
  console.log(`${name.padEnd(44)} ${figures[0]} /s ${figures[1]} /s a core ${seconds.toFixed(1).padStart(7)} s`);
  return perCore;
}

async function checkOnly(): Promise<void> {
  await Promise.all(
    sent.map(async (readings, index) => {
      const key = { ...fleet[index]?.key, kind: "p256" } as Parameters<typeof isSignedBy>[0];
      for (let from = 0; from < EACH; from += DELIVERY) {
        const formed = readings.slice(from, from + DELIVERY).map((one) => readForm(one) as FormedReading);
        const valid = await Promise.all(formed.map((one) => isSignedBy(key, one)));
        if (!valid.every(Boolean)) throw new Error("a signature does not hold");
      }
    }),
  );
}

async function copyOnly(db: Database): Promise<void> {
  const lines = sent.flatMap((readings, device) =>
    readings.map((one) => {
      const { seq, time, value, prev, hash, signature } = readForm(one) as FormedReading;
      const bytes = [prev, hash, signature].map((text) => `\\\\x${text.slice(2)}`).join("\t");
      return `${device}\t${seq}\t${time}\t${time}\t${value}\t${bytes}\t\\N\n`;
    }),
  );
  const file = join(folder, "rows");
  writeFileSync(file, lines.join(""), { mode: 0o644 });
  await db.orm.execute(
    "create table bare (device int, seq bigint, time bigint, accepted bigint, value bigint, prev bytea, hash bytea, signature bytea, flaw text)",
  );
  await measure({
    name: "PostgreSQL: COPY of the rows, nothing else",
    count: total,
    db,
    work: () => db.orm.execute(`copy bare from '${file}'`),
  });
}

async function ingestAll(db: Database): Promise<void> {
  const ingest = createIngest({ db, directory: createDirectory(db.orm), partitions: createPartitions(db) });
  await Promise.all(
    sent.map(async (readings) => {
      for (let from = 0; from < EACH; from += DELIVERY) {
        const { accepted } = await ingest.take(readings.slice(from, from + DELIVERY), { via: "http" });
        if (accepted !== DELIVERY) throw new Error("a reading was refused");
      }
    }),
  );
}

/** @param many files a call */
async function importAll(many: number): Promise<void> {
  const db = await opened(null);
  const batches: ReturnType<typeof buildBatch>[] = [];
  const inOrder = Array.from({ length: EACH }, (_, index) => sent.map((readings) => readings[index])).flat();
  for (let from = 0; from < total; from += BATCH) {
    const part = inOrder.slice(from, from + BATCH) as SignedReading[];
    batches.push(buildBatch("tide", part, batches.at(-1) ?? null, 1 + batches.length));
  }
  await anchorAll(db, batches);
  const take = createImport({ db, directory: createDirectory(db.orm), partitions: createPartitions(db) });
  await measure({
    name: `embedded: ${batches.length} batch files, ${many} a call`,
    count: total,
    db,
    work: async () => {
      for (let from = 0; from < batches.length; from += many) {
        await take(Buffer.concat(batches.slice(from, from + many).map(({ file }) => file)));
      }
    },
  });
  await db.close();
}

let folders = 0;
async function opened(databaseUrl: string | null): Promise<Database> {
  folders += 1;
  const db = await openDatabase({ dataDir: join(folder, `data-${folders}`), databaseUrl });
  await migrate(db);
  for (const device of fleet) await enrol(db, device);
  return db;
}

const { url, stop } = await startPostgres([]);
try {
  const server = await opened(url);
  const floor = await measure({ name: "checking signatures, nothing else", count: total, db: server, work: checkOnly });
  await copyOnly(server);
  const reached = await measure({
    name: "PostgreSQL: taken in, checked, stored",
    count: total,
    db: server,
    work: () => ingestAll(server),
  });
  await server.close();
  console.log(`of what checking signatures alone allows: ${Math.round((reached / floor) * 100)} %`);
  const embedded = await opened(null);
  await measure({
    name: "embedded: taken in, checked, stored",
    count: total,
    db: embedded,
    work: () => ingestAll(embedded),
  });
  await embedded.close();
  for (const many of [1, 100]) await importAll(many);
  if (reached < GOAL) {
    console.error(`Fewer than ${GOAL} readings a second and core on PostgreSQL.`);
    process.exitCode = 1;
  }
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true });
}
