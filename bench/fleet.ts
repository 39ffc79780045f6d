/**
 * Measures a large fleet on a PostgreSQL server of its own: a million readings an hour, each acknowledged after its commit,
 * and the reads of devices, beside a fleet of a hundredth. Run: npm run bench -- fleet [devices]
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase, type Database } from "../apps/server/src/db/database.ts";
import { migrate } from "../apps/server/src/db/migrate.ts";
import { createDirectory } from "../apps/server/src/telemetry/directory.ts";
import { createIngest } from "../apps/server/src/telemetry/ingest.ts";
import { createPartitions } from "../apps/server/src/telemetry/partitions.ts";
import { deviceReads } from "../apps/server/test/support/growthReads.ts";
import { carryOut, enrolFleet, fillTables } from "../apps/server/test/support/growthTables.ts";
import { startPostgres } from "../apps/server/test/support/startPostgres.ts";
import { newDevice, type TestDevice } from "../apps/server/test/telemetry/devices.ts";
import { cpuSeconds } from "./support/cpu.ts";
import { printGrowth, timesOf } from "./support/reads.ts";

const total = Number(process.argv[3] ?? 100_000);
const RUNS = 9;
const SECONDS = 60;
const RATE = 1_000_000 / 3_600;
/** Milliseconds between two readings of a device. */
const INTERVAL = 360_000;
/** Devices of a product, and those that send: each has its own key. */
const [OF_PRODUCT, SENDERS] = [1_000, 5_000];

/** `count` devices with their keys, the senders evenly among them. The others share a key. */
function fleetOf(count: number, senders: readonly TestDevice[]): { name: string; x: string; y: string }[] {
  const shared = newDevice({ name: "shared" }).key;
  const every = count / senders.length;
  return Array.from({ length: count }, (_, number) => {
    const sender = number % every === 0 ? senders[number / every] : undefined;
    const { x, y } = sender?.key ?? shared;
    return { name: sender?.name ?? `device-${number}`, x, y };
  });
}

/** Sends `RATE` readings a second, each in a delivery of its own. Returns the times until the acknowledgement. */
async function send(db: Database, senders: readonly TestDevice[]): Promise<{ times: number[]; cores: number }> {
  const ingest = createIngest({ db, directory: createDirectory(db.orm), partitions: createPartitions(db) });
  const readings: unknown[] = [];
  for (let number = 0; number < RATE * SECONDS; number += 1)
    readings.push(await (senders[number % senders.length] as TestDevice).next());
  const times: number[] = [];
  const [began, cpu] = [performance.now(), await cpuSeconds(db)];
  const sent: Promise<void>[] = [];
  async function sendOne(number: number): Promise<void> {
    const due = began + (number * 1_000) / RATE;
    await sleep(Math.max(0, due - performance.now()));
    // A device sends the next reading after the acknowledgement of the last one.
    await sent[number - senders.length];
    const { accepted } = await ingest.take([readings[number]], { via: "http" });
    if (accepted !== 1) throw new Error("a reading was refused");
    // From the moment at which it was due, so that a queue in this process counts too.
    times.push(performance.now() - due);
  }
  for (const number of readings.keys()) sent.push(sendOne(number));
  await Promise.all(sent);
  const seconds = (performance.now() - began) / 1_000;
  return { times: times.sort((one, other) => one - other), cores: ((await cpuSeconds(db)) - cpu) / seconds };
}

const postgres = await startPostgres(["shared_buffers=512MB"]);
try {
  const measured: Map<string, number>[] = [];
  for (const count of [total / 100, total]) {
    const name = `fleet_${measured.length}`;
    await carryOut(postgres.url, `create database ${name}`);
    const url = postgres.url.replace(/postgres$/, name);
    const db = await connectDatabase(url);
    await migrate(db);
    await fillTables(db, { movements: 10, wallets: 10, receiptVersions: 10, reports: 1, requests: 1, readings: 20 });
    const number = Math.min(SENDERS, count);
    const start = Date.now() - INTERVAL * (1 + Math.ceil((RATE * SECONDS) / number));
    const senders = Array.from({ length: number }, (_, index) =>
      newDevice({ name: `sender-${index}`, start, step: INTERVAL }),
    );
    await enrolFleet(db, fleetOf(count, senders), { ofProduct: OF_PRODUCT, interval: INTERVAL });
    await carryOut(url, "vacuum analyze");
    const { times, cores } = await send(db, senders);
    const at = (part: number) => (times[Math.floor(times.length * part)] as number).toFixed(1);
    console.log(
      `${count} devices: ${times.length} readings in ${SECONDS} s, acknowledged after ${at(0.5)} ms, p99 ${at(0.99)} ms, ${cores.toFixed(2)} cores`,
    );
    const reads = deviceReads(db);
    measured.push(await timesOf(reads, RUNS));
    for (const [what, read] of Object.entries(reads)) {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      await read();
      delay.disable();
      console.log(`${count} devices, ${what}: other requests wait up to ${(delay.max / 1e6).toFixed(0)} ms`);
    }
    await db.close();
  }
  const [short, long] = measured as [Map<string, number>, Map<string, number>];
  printGrowth(short, long, "time with 100 × the devices");
} finally {
  await postgres.stop();
}
