import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { anchor } from "../../src/indexer/schema.ts";
import { createDirectory } from "../../src/telemetry/directory.ts";
import { createImport } from "../../src/telemetry/import.ts";
import { createIngest } from "../../src/telemetry/ingest.ts";
import { createPartitions, monthsOf } from "../../src/telemetry/partitions.ts";
import { dropOldMonths } from "../../src/telemetry/retention.ts";
import { reading, readingBucket, telemetryBatch } from "../../src/telemetry/schema.ts";
import { withDatabase } from "../support/databases.ts";
import { anchorAll, buildBatch, enrol, newDevice } from "./devices.ts";

const DAY = 86_400_000;

withDatabase("retention", (open) => {
  it("deletes whole months that are old enough and completely on chain, but no figures and files", async () => {
    const db = await open();
    const parts = { db, directory: createDirectory(db.orm), partitions: createPartitions(db) };
    // Five readings each in January, February and March. The last one of February has no batch.
    const one = newDevice({ name: "turbine-1", start: Date.UTC(2026, 0, 2), step: 6 * DAY });
    await enrol(db, one);
    const readings = [];
    for (let index = 0; index < 15; index += 1) readings.push(await one.next());
    const january = buildBatch("tide", readings.slice(0, 3), null, Date.UTC(2026, 0, 16) / 1_000);
    const february = buildBatch("tide", readings.slice(3, 9), january, Date.UTC(2026, 1, 26) / 1_000);
    await anchorAll(db, [january, february]);
    await createImport(parts)(Buffer.concat([january.file, february.file]));
    const ingest = createIngest(parts);
    await ingest.take(readings.slice(9), { via: "http" });
    const names = async () => (await monthsOf(db.orm)).map(({ name }) => name);
    expect(await names()).toEqual(["reading_202601", "reading_202602", "reading_202603"]);
    const buckets = await db.orm.select().from(readingBucket);

    // A month is dropped only if all of it is old enough.
    expect(await dropOldMonths(db, 30, Date.UTC(2026, 1, 28))).toEqual([]);
    const now = Date.UTC(2026, 11, 1);
    // A reorganisation has removed the second batch from the chain.
    const [second] = await db.orm.delete(anchor).where(eq(anchor.number, 2)).returning();
    expect(await dropOldMonths(db, 30, now)).toEqual([]);
    if (second) await db.orm.insert(anchor).values(second);
    expect(await dropOldMonths(db, 30, now)).toEqual(["reading_202601"]);
    expect(await names()).toEqual(["reading_202602", "reading_202603"]);
    const left = (await db.orm.select().from(reading)).map(({ seq }) => seq);
    expect(Math.min(...left)).toBe(6);
    expect(await db.orm.select().from(readingBucket)).toEqual(buckets);
    expect(await db.orm.select().from(telemetryBatch)).toHaveLength(2);

    // The device continues. Numbers of dropped readings still count as used.
    expect(await ingest.take([await one.next()], { via: "http" })).toMatchObject({ accepted: 1 });
    const again = await ingest.take([readings[0], readings[12]], { via: "http" });
    expect(again).toMatchObject({ accepted: 0, duplicates: 1, rejected: [{ index: 0, reason: "replay" }] });
  });
});
