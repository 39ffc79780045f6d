/**
 * Measures requests of the HTTP server for a range of readings: a year of hourly readings of 27 devices, in products of
 * six, on PostgreSQL and on the embedded database; in CPU time, which a busy machine does not change. Run: npm run
 * bench -- series
 */
import { connectDatabase, type Database } from "../apps/server/src/db/database.ts";
import { migrate } from "../apps/server/src/db/migrate.ts";
import { createPartitions } from "../apps/server/src/telemetry/partitions.ts";
import { startPostgres } from "../apps/server/test/support/startPostgres.ts";
import { DAY, enrol, HOUR, indexChain, listProduct, NOW, openEndpoint } from "../apps/server/test/telemetry/rows.ts";
import { cpuSeconds } from "./support/cpu.ts";

const DEVICES = 27;
const A_PRODUCT = 6;
const TIMES = 40;
const GOAL_MS = 50;
const END = NOW - (NOW % HOUR);
const START = END - 365 * DAY;

const spans: Record<string, { from: number; to?: number; resolution?: string }> = {
  "a year, in days": { from: START },
  "a year, in days, as asked": { from: START, resolution: "day" },
  "33 days, in hours": { from: END - 33 * DAY, resolution: "hour" },
  "40 days, in days": { from: END - 40 * DAY },
  "33 days, the readings themselves": { from: END - 33 * DAY },
  "a day": { from: END - DAY },
};

/** A year of hourly readings of each device, half of them registers, with their hours and days. */
async function fill(db: Database): Promise<void> {
  await indexChain(db);
  for (let device = 0; device < DEVICES; device += 1) {
    const number = Math.floor(device / A_PRODUCT);
    const shortId = `product-${number}`;
    if (device % A_PRODUCT === 0) await listProduct(db, shortId, { number: number * 10 + 10 });
    await enrol(db, `device-${device}`, device % 2 === 0 ? "volume" : "power", { shortId });
  }
  const months = Array.from({ length: 13 }, (_, index) => START + index * 30.4 * DAY);
  await createPartitions(db).ensure([...months, END]);
  const hours = (END - START) / HOUR;
  const hash = "decode(repeat('01', 32), 'hex')";
  await db.orm.execute(`
    insert into reading (device, seq, time, accepted, value, prev, hash, signature)
    select device.id, n, at, at, n * 10 + n % 7, ${hash}, ${hash}, ${hash} || ${hash}
    from device, generate_series(1, ${hours}::int) as n, lateral (select ${START}::bigint + n * ${HOUR}::bigint - 60000 as at) as moment`);
  for (const span of [HOUR, DAY]) {
    await db.orm.execute(`
      insert into reading_bucket
        (device, span, start, count, bounds, jump, frozen, backwards, min, max, sum, first_time, first_value, last_time, last_value)
      select device, ${span}, time - time % ${span}, count(*), 0, 0, 0, 0, min(value), max(value), sum(value),
        min(time), min(value), max(time), max(value)
      from reading group by 1, 3`);
  }
  await db.orm.execute("update device_head set seq = 8760, readings = 8760");
  await db.orm.execute("analyze");
}

/** Milliseconds an asking takes: of CPU, of this process and of the database's, and by the clock, the middle one. */
async function timeOf(db: Database, ask: () => Promise<unknown>): Promise<{ cpu: number; clock: number }> {
  for (let n = 0; n < 10; n += 1) await ask();
  const times: number[] = [];
  const before = await cpuSeconds(db);
  for (let n = 0; n < TIMES; n += 1) {
    const started = performance.now();
    await ask();
    times.push(performance.now() - started);
  }
  const cpu = (((await cpuSeconds(db)) - before) / TIMES) * 1_000;
  times.sort((a, b) => a - b);
  return { cpu, clock: times[TIMES / 2] ?? 0 };
}

async function measure(name: string, db: Database): Promise<boolean> {
  await migrate(db);
  const door = await openEndpoint(db);
  await fill(db);
  let isFast = true;
  for (const [what, span] of Object.entries(spans)) {
    const query = new URLSearchParams(
      Object.entries({ to: END, ...span }).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const path = `product/product-1/readings?${query}`;
    const { resolution, devices } = await door.get<{ resolution: string; devices: { points: unknown[] }[] }>(path);
    const points = devices.reduce((sum, one) => sum + one.points.length, 0);
    const { cpu, clock } = await timeOf(db, () => door.inject(path));
    const figures = [cpu, clock].map((one) => one.toFixed(1).padStart(7)).join(" ");
    console.log(
      `${name.padEnd(12)} ${what.padEnd(34)} ${resolution.padEnd(5)} ${String(points).padStart(5)} points ${figures} ms (CPU, clock)`,
    );
    isFast &&= cpu <= GOAL_MS;
  }
  await door.close();
  await db.close();
  return isFast;
}

const { url, stop } = await startPostgres([]);
try {
  if (!(await measure("PostgreSQL", await connectDatabase(url)))) {
    console.error(`A range took more than ${GOAL_MS} ms.`);
    process.exitCode = 1;
  }
} finally {
  await stop();
}
