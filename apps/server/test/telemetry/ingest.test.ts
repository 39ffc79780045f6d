import { asc, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { createDirectory } from "../../src/telemetry/directory.ts";
import { createIngest, type IngestParts } from "../../src/telemetry/ingest.ts";
import { createPartitions } from "../../src/telemetry/partitions.ts";
import { device, deviceHead, reading } from "../../src/telemetry/schema.ts";
import { forEachDatabase } from "../support/databases.ts";
import { enrol, newDevice } from "./devices.ts";

const http = { via: "http" } as const;
const ingestOf = (db: Database, more: Partial<IngestParts> = {}) =>
  createIngest({ db, directory: createDirectory(db.orm), partitions: createPartitions(db), ...more });

async function stored(db: Database, name: string) {
  return db.orm
    .select({ seq: reading.seq, time: reading.time, flaw: reading.flaw })
    .from(reading)
    .innerJoin(device, eq(device.id, reading.device))
    .where(eq(device.name, name))
    .orderBy(asc(reading.seq));
}

forEachDatabase("ingest", (open) => {
  it("signed readings of both kinds of key are stored in their chain", async () => {
    const db = await open();
    const hardware = newDevice({ name: "turbine-1" });
    const simulator = newDevice({ name: "turbine-2", kind: "secp256k1" });
    for (const one of [hardware, simulator]) await enrol(db, one);
    const readings = [];
    for (let index = 0; index < 5; index += 1) readings.push(await hardware.next(), await simulator.next());
    const ingest = ingestOf(db);
    expect(await ingest.take(readings, http)).toMatchObject({ accepted: 10, duplicates: 0, rejected: [] });
    expect((await stored(db, "turbine-1")).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect((await stored(db, "turbine-2")).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    const heads = await db.orm.select().from(deviceHead);
    expect(heads.map(({ seq, readings }) => [seq, readings])).toEqual([
      [5, 5],
      [5, 5],
    ]);
    expect(await ingest.take(readings, http)).toMatchObject({ accepted: 0, duplicates: 10, rejected: [] });
  });
});
