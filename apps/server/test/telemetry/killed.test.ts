import { once } from "node:events";
import type { TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import { asc, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { bucketsOf } from "../../src/telemetry/buckets.ts";
import { device, deviceHead, reading, readingBucket } from "../../src/telemetry/schema.ts";
import { dataFolder } from "../support/dataFolder.ts";
import { launchServer } from "../support/process.ts";
import { enrol, newDevice } from "./devices.ts";

const DEVICES = 4;

/** The server's answer; null if it gave none. */
async function send(url: string, readings: readonly unknown[]): Promise<TelemetryAnswer | null> {
  const response = await fetch(`${url}/api/v2/telemetry`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ readings }),
  }).catch(() => null);
  if (!response?.ok) return null;
  const body = (await response.json().catch(() => null)) as { data: TelemetryAnswer } | null;
  return body?.data ?? null;
}

/** Expects gapless numbers of every device, a head at the last one, and buckets that match the readings. */
async function whole(db: Database): Promise<Map<string, number>> {
  const last = new Map<string, number>();
  for (const { id, name } of await db.orm.select().from(device)) {
    const rows = await db.orm.select().from(reading).where(eq(reading.device, id)).orderBy(asc(reading.seq));
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    const [head] = await db.orm.select().from(deviceHead).where(eq(deviceHead.device, id));
    expect(head).toMatchObject({ seq: rows.length, readings: rows.length });
    const kept = await db.orm
      .select()
      .from(readingBucket)
      .where(eq(readingBucket.device, id))
      .orderBy(asc(readingBucket.span), asc(readingBucket.start));
    expect(kept).toEqual(bucketsOf(id, rows));
    last.set(name, rows.length);
  }
  return last;
}

it("every reading that a server acknowledged is stored after the server was killed while it received more", async () => {
  const folder = await dataFolder();
  const open = () => openDatabase({ dataDir: folder, databaseUrl: null });
  const devices = Array.from({ length: DEVICES }, (_, index) => newDevice({ name: `device-${index}`, step: 1_000 }));
  const readings = new Map<string, unknown[]>();
  let db = await open();
  await migrate(db);
  for (const one of devices) {
    await enrol(db, one);
    const all = [];
    for (let index = 0; index < 400; index += 1) all.push(await one.next());
    readings.set(one.name, all);
  }
  await db.close();

  const environment = {
    DATA_DIR: folder,
    PRODUCTS_DIR: folder,
    DEPLOYMENTS_DIR: folder,
    SECRET_KEY: "5e".repeat(32),
  };
  const acknowledged = new Map(devices.map(({ name }) => [name, 0]));
  for (const deliveries of [6, 14]) {
    const { child, url } = await launchServer(environment);
    const ended = once(child, "exit");
    let answers = 0;
    // Each device sends until the connection breaks. The server is killed while it processes deliveries.
    await Promise.all(
      devices.map(async ({ name }) => {
        for (;;) {
          const from = acknowledged.get(name) ?? 0;
          const answer = await send(url, readings.get(name)?.slice(from, from + 7) ?? []);
          if (answer === null) return;
          expect(answer.rejected).toEqual([]);
          acknowledged.set(name, from + answer.accepted + answer.duplicates);
          answers += 1;
          if (answers === deliveries) child.kill("SIGKILL");
        }
      }),
    );
    await ended;
    db = await open();
    const found = await whole(db);
    for (const [name, last] of acknowledged) expect(found.get(name)).toBeGreaterThanOrEqual(last);
    await db.close();
  }
  expect([...acknowledged.values()].reduce((sum, last) => sum + last)).toBeGreaterThanOrEqual(7 * 20);
});
