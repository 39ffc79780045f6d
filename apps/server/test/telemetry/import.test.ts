import { asc } from "drizzle-orm";
import { expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { createDirectory } from "../../src/telemetry/directory.ts";
import { createImport } from "../../src/telemetry/import.ts";
import { createIngest } from "../../src/telemetry/ingest.ts";
import { createPartitions } from "../../src/telemetry/partitions.ts";
import { deviceHead, reading, readingBucket, telemetryBatch, telemetryBatchPart } from "../../src/telemetry/schema.ts";
import { withDatabase } from "../support/databases.ts";
import { anchorAll, buildBatch, enrol, newDevice } from "./devices.ts";

const START = Date.UTC(2026, 0, 5);

const importOf = (db: Database) =>
  createImport({ db, directory: createDirectory(db.orm), partitions: createPartitions(db) });

/** Two devices and three batches, an hour apart, each with five readings. */
async function history(options: { tamper?: boolean } = {}) {
  const one = newDevice({ name: "turbine-1", start: START, step: 600_000 });
  const two = newDevice({ name: "turbine-2", start: START, step: 600_000, kind: "secp256k1" });
  const batches: ReturnType<typeof buildBatch>[] = [];
  for (let turn = 1; turn <= 3; turn += 1) {
    const readings = [];
    for (let index = 0; index < 5; index += 1) readings.push(await one.next(), await two.next());
    if (options.tamper && turn === 2) readings[4] = { ...(readings[4] as (typeof readings)[0]), value: "999" };
    batches.push(buildBatch("tide", readings, batches.at(-1) ?? null, START / 1_000 + turn * 3_600));
  }
  return { devices: [one, two], batches, files: batches.map(({ file }) => file) };
}

async function counts(db: Database) {
  return [reading, telemetryBatch, telemetryBatchPart, readingBucket].reduce(
    async (all, table) => [...(await all), (await db.orm.select().from(table)).length],
    Promise.resolve([] as number[]),
  );
}

withDatabase("batch files", (open) => {
  it("batches are imported only in a transaction that uses the approval of the call", async () => {
    const db = await open();
    const { devices, batches, files } = await history();
    for (const one of devices) await enrol(db, one);
    await anchorAll(db, batches);
    const used = { use: () => Promise.reject(new Error("used already")), end: async () => {} };
    const act = { by: "bob", signed: null, approval: used };
    await expect(importOf(db)(files[0] as Buffer, act)).rejects.toThrow("used already");
    expect(await counts(db)).toEqual([0, 0, 0, 0]);
    let uses = 0;
    const use = async () => {
      uses += 1;
    };
    await importOf(db)(files[0] as Buffer, { ...act, approval: { ...used, use } });
    expect([uses, (await counts(db))[1]]).toEqual([1, 1]);
  });

  it("batches that are on chain are imported with their readings, and once", async () => {
    const db = await open();
    const { devices, batches, files } = await history();
    for (const one of devices) await enrol(db, one);
    await anchorAll(db, batches);
    const take = importOf(db);
    expect(await take(files[0] as Buffer)).toEqual({ imported: 1, known: 0, readings: 10 });
    expect(await take(Buffer.concat(files))).toEqual({ imported: 2, known: 1, readings: 20 });
    const before = await counts(db);
    expect(before).toEqual([30, 3, 6, 8]);
    expect(await take(Buffer.concat(files))).toEqual({ imported: 0, known: 3, readings: 0 });
    expect(await counts(db)).toEqual(before);
    const [first] = await db.orm.select().from(reading).orderBy(asc(reading.time));
    expect(first?.accepted).toBe(START + 3_600_000);
    expect((await db.orm.select().from(deviceHead)).map(({ seq, readings }) => [seq, readings])).toEqual([
      [15, 15],
      [15, 15],
    ]);
    const parts = await db.orm.select().from(telemetryBatchPart).orderBy(asc(telemetryBatchPart.number));
    expect(parts.map(({ firstSeq, lastSeq }) => [firstSeq, lastSeq])).toEqual([
      [1, 5],
      [1, 5],
      [6, 10],
      [6, 10],
      [11, 15],
      [11, 15],
    ]);
  });

  it("a device continues live after the last batch, and a batch with readings that came live is accepted", async () => {
    const db = await open();
    const { devices, batches, files } = await history();
    for (const one of devices) await enrol(db, one);
    await anchorAll(db, batches);
    await importOf(db)(files[0] as Buffer);
    const ingest = createIngest({ db, directory: createDirectory(db.orm), partitions: createPartitions(db) });
    const lines = (files[1] as Buffer).toString().trim().split("\n").slice(1);
    const answer = await ingest.take(
      lines.map((line) => JSON.parse(line)),
      { via: "http" },
    );
    expect(answer).toMatchObject({ accepted: 10, rejected: [] });
    expect(await importOf(db)(Buffer.concat(files))).toEqual({ imported: 2, known: 1, readings: 10 });
    const [next] = devices;
    expect(await ingest.take([await next?.next()], { via: "http" })).toMatchObject({ accepted: 1 });
    expect((await counts(db)).slice(0, 3)).toEqual([31, 3, 6]);
  });

  it("files that differ from the chain are rejected, and nothing of the call is stored", async () => {
    const db = await open();
    const { devices, batches, files } = await history();
    for (const one of devices) await enrol(db, one);
    await anchorAll(db, batches.slice(0, 2));
    const take = importOf(db);
    await expect(take(Buffer.concat(files))).rejects.toThrow("Batch 3 of tide does not stand on the chain");
    await expect(take(files[1] as Buffer)).rejects.toThrow("The next batch of tide is 1, not 2");
    const foreign = buildBatch("tide", [await newDevice({ name: "turbine-1", start: START }).next()], null, 1);
    await expect(take(foreign.file)).rejects.toThrow("Batch 1 of tide stands on the chain with other content");
    const altered = Buffer.from((files[0] as Buffer).toString().replace('"value":"1001"', '"value":"2001"'));
    await expect(take(altered)).rejects.toThrow("Batch 1 of tide: its readings do not make up its root");
    await expect(take(Buffer.from("{}\n"))).rejects.toThrow("Line 1: not the header of a batch");
    expect(await counts(db)).toEqual([0, 0, 0, 0]);
  });

  it("a batch with a reading that no key of its device signed is rejected, even if it is on chain", async () => {
    const db = await open();
    const { devices, batches, files } = await history({ tamper: true });
    for (const one of devices) await enrol(db, one);
    await anchorAll(db, batches);
    await expect(importOf(db)(Buffer.concat(files))).rejects.toThrow(
      "Batch 2 of tide, reading 8 of turbine-1: This is not the signature of the device's key at that time",
    );
    expect(await counts(db)).toEqual([0, 0, 0, 0]);
  });

  it("devices of another product and unknown devices are named", async () => {
    const db = await open();
    const { devices, batches, files } = await history();
    await anchorAll(db, batches);
    const [one, two] = devices as [(typeof devices)[0], (typeof devices)[0]];
    await enrol(db, one);
    await expect(importOf(db)(files[0] as Buffer)).rejects.toThrow("turbine-2 is not enrolled for this product");
    await enrol(db, two, { shortId: "wind" });
    await expect(importOf(db)(files[0] as Buffer)).rejects.toThrow("turbine-2 is not enrolled for this product");
  });
});
