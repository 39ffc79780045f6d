import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SignedReading, TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import { asc, eq } from "drizzle-orm";
import type { MqttClient } from "mqtt";
import { afterEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../src/db/database.ts";
import { migrate } from "../../../src/db/migrate.ts";
import { answersTopic, readingsTopic } from "../../../src/telemetry/mqtt/messages.ts";
import { device, deviceHead, reading, readingBucket } from "../../../src/telemetry/schema.ts";
import { createServerDatabase } from "../../support/databases.ts";
import { launchServer } from "../../support/process.ts";
import { enrol, newDevice } from "../devices.ts";
import { connectDevice } from "./support.ts";

const DEVICES = ["meter-1", "meter-2", "meter-3"];
const READINGS = 240;
const KILLS = 2;

const cleaners: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const clean of cleaners.splice(0).reverse()) await clean();
});

/** Sends one reading after the other, ten on the way at most, and goes on where the server says, until all are acknowledged. */
class Sender {
  readonly acknowledged = new Set<number>();
  #client: MqttClient | null = null;

  constructor(
    readonly name: string,
    readonly readings: readonly SignedReading[],
  ) {}

  get done(): boolean {
    return this.acknowledged.size === this.readings.length;
  }

  async run(mqttPort: number, ends: AbortSignal): Promise<void> {
    const client = await connectDevice(mqttPort, this.name, { password: `secret of ${this.name}` });
    this.#client = client;
    client.on("error", () => {});
    client.on("message", (_topic, payload) => {
      // Of what is refused because something before it was lost on the way, only where to go on matters.
      const { rejected } = JSON.parse(String(payload)) as TelemetryAnswer;
      for (const { reason } of rejected) expect(["gap", "chain"]).toContain(reason);
    });
    const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
    await client.subscribeAsync(answersTopic(this.name));
    while (!this.done && !ends.aborted && client.connected) {
      const next = this.readings.filter(({ seq }) => !this.acknowledged.has(seq)).slice(0, 10);
      await Promise.race([Promise.all(next.map((one) => this.#send(client, one))), closed]);
    }
    await client.endAsync(true);
  }

  async #send(client: MqttClient, one: SignedReading): Promise<void> {
    try {
      await client.publishAsync(readingsTopic(this.name), JSON.stringify(one), { qos: 1 });
      this.acknowledged.add(one.seq);
    } catch {
      // Refused or the line is gone: it comes again.
    }
  }

  stop(): void {
    this.#client?.end(true);
  }
}

describe.each(["embedded", "server"] as const)("a server killed while devices send (%s)", (kind) => {
  it("has every reading it acknowledged, each once, and goes on with those it has not", {
    timeout: 240_000,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "aqua-mqtt-"));
    cleaners.push(() => rm(folder, { recursive: true, force: true }));
    const databaseUrl = kind === "server" ? await createServerDatabase() : null;
    const use = async (work: (db: Database) => Promise<void>) => {
      const db = await openDatabase({ dataDir: folder, databaseUrl });
      try {
        await work(db);
      } finally {
        await db.close();
      }
    };
    const senders: Sender[] = [];
    await use(async (db) => {
      await migrate(db);
      for (const name of DEVICES) {
        const one = newDevice({ name });
        await enrol(db, one);
        const secretHash = createHash("sha256").update(`secret of ${name}`).digest();
        await db.orm.update(device).set({ secretHash }).where(eq(device.name, name));
        const readings: SignedReading[] = [];
        for (let index = 0; index < READINGS; index++) readings.push(await one.next());
        senders.push(new Sender(name, readings));
      }
    });
    const environment = {
      ...{ DATA_DIR: folder, PRODUCTS_DIR: folder, DEPLOYMENTS_DIR: folder, MQTT_PORT: "0" },
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    };

    for (let kill = 0; kill <= KILLS; kill++) {
      const server = await launchServer(environment);
      const ends = new AbortController();
      const sending = senders.map((sender) => sender.run(server.mqttPort, ends.signal));
      if (kill < KILLS) {
        const before = senders.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
        // Somewhere in the middle: after some more were acknowledged, at no particular moment.
        await expect
          .poll(() => senders.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0), {
            interval: 2,
            timeout: 60_000,
          })
          .toBeGreaterThan(before + 20);
        await sleep(Math.random() * 20);
      } else {
        await Promise.all(sending);
      }
      const exit = once(server.child, "exit");
      server.child.kill("SIGKILL");
      await exit;
      ends.abort();
      for (const sender of senders) sender.stop();
      await Promise.all(sending);
    }

    expect(senders.every(({ done }) => done)).toBe(true);
    await use(async (db) => {
      for (const { name, readings } of senders) {
        const rows = await db.orm
          .select({ id: device.id, seq: reading.seq, time: reading.time })
          .from(reading)
          .innerJoin(device, eq(device.id, reading.device))
          .where(eq(device.name, name))
          .orderBy(asc(reading.seq));
        expect(rows.map(({ seq, time }) => [seq, time])).toEqual(readings.map(({ seq, time }) => [seq, time]));
        const id = rows[0]?.id ?? 0;
        const [head] = await db.orm.select().from(deviceHead).where(eq(deviceHead.device, id));
        expect(head).toMatchObject({ seq: READINGS, readings: READINGS });
        const hours = await db.orm.select().from(readingBucket).where(eq(readingBucket.device, id));
        const counted = hours.filter(({ span }) => span === 3_600_000).reduce((sum, { count }) => sum + count, 0);
        expect(counted).toBe(READINGS);
      }
    });
  });
});
