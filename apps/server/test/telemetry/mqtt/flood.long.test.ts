import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { asc, eq } from "drizzle-orm";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectDatabase, type Database } from "../../../src/db/database.ts";
import { migrate } from "../../../src/db/migrate.ts";
import {
  device,
  deviceHead,
  reading,
  readingBucket,
  refusalCount,
  refusedReading,
} from "../../../src/telemetry/schema.ts";
import { launchServer } from "../../support/process.ts";
import { startPostgres } from "../../support/startPostgres.ts";
import { enrolFleet, type FloodDevice, prepare } from "./flood.ts";
import { type Usage, usageOf } from "./usage.ts";

/** Ten thousand messages a second for a minute, to a PostgreSQL with durable commits. */
const size = { devices: 400, messages: 1_500, rate: 10_000, window: 100, kills: 1 };

const HOUR_MS = 3_600_000;
/** Memory that suffices for the server with full queues, but not for all messages of a minute. */
const HEAP_MB = 512;

describe("a server that is flooded and killed", () => {
  it("has every acknowledged reading once, and stores rejected ones separately", {
    timeout: 1_800_000,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "aqua-mqtt-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { url: databaseUrl, pid: postgres, stop } = await startPostgres([]);
    onTestFinished(stop);
    const use = async <T>(work: (db: Database) => Promise<T>): Promise<T> => {
      const db = await connectDatabase(databaseUrl);
      try {
        return await work(db);
      } finally {
        await db.close();
      }
    };

    // One clock is some hours ahead, one is a day behind, and the others are correct.
    const clocks = [6 * HOUR_MS, -24 * HOUR_MS];
    const fleet: FloodDevice[] = [];
    for (let index = 0; index < size.devices; index += 1) {
      fleet.push(await prepare(`meter-${index}`, size.messages, clocks[index] ?? 0));
    }
    await use(async (db) => {
      await migrate(db);
      await enrolFleet(db, fleet);
    });

    const environment = {
      DATA_DIR: folder,
      PRODUCTS_DIR: folder,
      DEPLOYMENTS_DIR: folder,
      MQTT_PORT: "0",
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
      DATABASE_URL: databaseUrl,
    };
    const total = size.devices * size.messages;
    const settled = () => fleet.reduce((sum, one) => sum + one.settled, 0);
    const figures = { server: 0, memory: 0, minute: 0, breaks: 0 };
    const before = usageOf(postgres);
    let started = 0;
    const offered = () => Math.min(((performance.now() - started) / 1_000) * size.rate, total);
    for (let kill = 0; kill <= size.kills; kill += 1) {
      const server = await launchServer(environment);
      const idle = usageOf(server.child.pid)?.cpu ?? 0;
      await Promise.all(fleet.map((one) => one.connect(server.mqttPort)));
      started ||= performance.now();
      // The break happens at an arbitrary moment, with messages in transit.
      const enough = kill < size.kills ? (total * (kill + 1)) / (size.kills + 1) + Math.random() * 100 : total;
      let used: Usage | null = null;
      while (settled() < enough) {
        expect(server.child.exitCode, server.said().slice(-2_000)).toBeNull();
        for (const one of fleet.filter(({ cutOff }) => cutOff)) {
          figures.breaks += 1;
          await one.connect(server.mqttPort);
        }
        for (const one of fleet) one.send(Math.floor(offered() / size.devices), size.window);
        await sleep(10);
        used = usageOf(server.child.pid) ?? used;
        figures.memory = Math.max(figures.memory, used?.memory ?? 0);
        if (offered() < total) figures.minute = settled();
      }
      figures.server += Math.max(0, (used?.cpu ?? 0) - idle);
      const exit = once(server.child, "exit");
      server.child.kill("SIGKILL");
      await exit;
      await Promise.all(fleet.map((one) => one.leave()));
    }
    const seconds = (performance.now() - started) / 1_000;
    const after = usageOf(postgres);
    const waits = fleet.flatMap((one) => one.waits).sort((a, b) => a - b);
    const wait = (share: number) => Math.round(waits[Math.floor(share * (waits.length - 1))] ?? 0);
    const cpu = { server: figures.server, postgres: (after?.cpu ?? 0) - (before?.cpu ?? 0) };
    const perCore = total / (cpu.server + cpu.postgres);
    // The figures are only for reading, because the speed depends on the machine.
    console.log(
      [
        `${total} messages of ${size.devices} devices, offered at ${size.rate}/s, ${size.kills} kill -9`,
        `acknowledged in ${seconds.toFixed(1)} s (${Math.round(total / seconds)}/s), ${figures.minute} of them while offered`,
        `lines that broke otherwise: ${figures.breaks}`,
        `CPU: server ${cpu.server.toFixed(1)} s, PostgreSQL ${cpu.postgres.toFixed(1)} s: ${Math.round(perCore)}/s a core`,
        `wait for the acknowledgement: median ${wait(0.5)} ms, 99 % ${wait(0.99)} ms, longest ${wait(1)} ms`,
        `memory of the server at most ${Math.round(figures.memory / 2 ** 20)} MiB`,
      ].join("\n  "),
    );
    expect(fleet.flatMap(({ surprises }) => surprises).slice(0, 20)).toEqual([]);
    await use((db) => findAll(db, fleet, size.kills + figures.breaks));
  });
});

async function findAll(db: Database, fleet: readonly FloodDevice[], breaks: number): Promise<void> {
  for (const { device: one, readings, script } of fleet) {
    const [row] = await db.orm.select().from(device).where(eq(device.name, one.name));
    const id = row?.id ?? 0;
    const rows = await db.orm.select().from(reading).where(eq(reading.device, id)).orderBy(asc(reading.seq));
    expect(rows.map((row) => [row.seq, row.time, `${row.value}`, hex(row.prev), hex(row.signature)])).toEqual(
      readings.map((one) => [one.seq, one.time, one.value, one.prev, one.signature]),
    );
    // Each reading names the previous one.
    expect(rows.slice(1).map(({ prev }) => hex(prev))).toEqual(rows.slice(0, -1).map(({ hash }) => hex(hash)));
    const [head] = await db.orm.select().from(deviceHead).where(eq(deviceHead.device, id));
    expect(head).toMatchObject({ seq: readings.length, readings: readings.length });
    const buckets = await db.orm.select().from(readingBucket).where(eq(readingBucket.device, id));
    const counted = buckets.filter(({ span }) => span === HOUR_MS).reduce((sum, { count }) => sum + count, 0);
    expect(counted).toBe(readings.length);

    // All rejections are counted. After each break, up to a window of them may be sent and counted again. Some are stored.
    const counts = await db.orm.select().from(refusalCount).where(eq(refusalCount.device, one.name));
    const refusals = script.filter(({ what }) => what === "skewed").length;
    const refused = counts.reduce((sum, { count }) => sum + count, 0);
    expect(refused).toBeGreaterThanOrEqual(refusals);
    expect(refused).toBeLessThanOrEqual(refusals + breaks * size.window);
    const looks = await db.orm.select().from(refusedReading).where(eq(refusedReading.device, one.name));
    expect(looks.every(({ reason }) => ["future", "time_order", "replay"].includes(reason))).toBe(true);
    // At most a hundred are stored per hour, and the run may cross a full hour.
    expect(looks.length).toBeGreaterThanOrEqual(Math.min(100, refusals));
    expect(looks.length).toBeLessThanOrEqual(200);
  }
}

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;
