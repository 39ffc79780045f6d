import { nameHex } from "@aqua/sdk/proofs/reading";
import { sql } from "drizzle-orm";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { auditTelemetry } from "../../src/audit/telemetry.ts";
import type { Database } from "../../src/db/database.ts";
import { dropOldMonths } from "../../src/telemetry/retention.ts";
import { withDatabase } from "../support/databases.ts";
import { enrol, newDevice } from "../telemetry/devices.ts";
import { buildNext, CHAIN, collect, fill, NOW, opened, tampered } from "./world.ts";

const DAY = 86_400_000;
const words = ({ table, row, column }: { table: string; row: string; column: string | null }) =>
  `${table}, ${row}: ${column ?? "the row"}`;

afterEach(() => {
  vi.useRealTimers();
});

withDatabase("a quick pass of the audit", (open) => {
  let db: Database;
  const since = NOW - 60_000;
  const quick = (one: Pick<Database, "orm" | "transaction">) => auditTelemetry({ db: one, chainIds: [CHAIN], since });
  const found = async (change: string, table: string) =>
    (await tampered(db, [sql.raw(`update ${table} set ${change}`)], quick)).map(words);
  beforeAll(async () => {
    db = await open();
    await fill(db);
  });

  it("finds no difference in honest data, and compares less than a whole pass", async () => {
    const { differences, compared } = await collect(quick(db));
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(50);
    expect(compared).toBeLessThan((await collect(auditTelemetry({ db, chainIds: [CHAIN] }))).compared / 2);
    // A pass since before everything begins with the first readings.
    const all = auditTelemetry({ db, chainIds: [CHAIN], since: 1 });
    expect((await collect(all)).differences).toEqual([]);
  });

  it("finds changes of new readings, of their flaws, and of the heads", async () => {
    expect(await found("value = value + 1 where device = 1 and seq = 19", "reading")).toContain(
      "reading, device 1, number 19: hash",
    );
    expect(await found("flaw = 'jump' where device = 1 and seq = 19", "reading")).toEqual([
      "reading, device 1, number 19: flaw",
    ]);
    expect(await found("repeats = 3 where device = 2", "device_head")).toEqual(["device_head, device 2: repeats"]);
    expect(await found("good_value = 3 where device = 1", "device_head")).toEqual([
      "device_head, device 1: good_value",
    ]);
  });

  it("leaves older readings to the whole pass", async () => {
    expect(await found("value = value + 1 where device = 1 and seq = 3", "reading")).toEqual([]);
  });

  it("finds changes of new batches", async () => {
    const third = `where stream = '${nameHex("tide")}' and number = 3`;
    const early = (one: Pick<Database, "orm" | "transaction">) =>
      auditTelemetry({ db: one, chainIds: [CHAIN], since: NOW - 1_500_000 });
    const changed = await tampered(db, [sql.raw(`update telemetry_batch set count = 1 ${third}`)], early);
    expect(changed.map(words)).toEqual(["telemetry_batch, batch 3 of tide: count"]);
    expect((await collect(early(db))).differences).toEqual([]);
  });
});

withDatabase("the audit beside writers", (open) => {
  it("finds no difference while readings arrive, batches are built and old months are dropped", async () => {
    const db = await open();
    const start = Date.UTC(2026, 3, 28);
    const one = newDevice({ name: "meter", start, step: DAY / 100 });
    const other = newDevice({ name: "other", start, step: DAY / 100 });
    for (const device of [one, other]) await enrol(db, device, { interval: DAY / 100 });
    const { send } = opened(db);
    let second = start / 1_000;
    /** Sends readings of both devices at the time of the last one. */
    const add = async (count: number) => {
      const readings = [];
      for (let added = 0; added < count; added += 1) readings.push(await one.next(), await other.next());
      second = Math.ceil((readings.at(-1)?.time ?? 0) / 1_000) + 1;
      vi.useFakeTimers({ toFake: ["Date"], now: second * 1_000 + 123 });
      await send(readings);
    };
    // Three batches: of April, of both months, and of May.
    await add(260);
    await buildNext(db, "tide", { to: second });
    await add(230);
    await buildNext(db, "tide", { to: second });
    await add(10);
    expect((await collect(auditTelemetry({ db, chainIds: [CHAIN] }))).differences).toEqual([]);

    const differences = [];
    let slices = 0;
    for await (const slice of auditTelemetry({ db, chainIds: [CHAIN] })) {
      differences.push(...slice.differences);
      slices += 1;
      await add(7);
      if (slices === 3) expect(await dropOldMonths(db, 1, Date.UTC(2026, 5, 1))).toEqual(["reading_202604"]);
      if (slices === 2 || slices === 5 || slices === 8) await buildNext(db, "tide", { to: second });
    }
    expect(differences).toEqual([]);
    expect(slices).toBeGreaterThan(12);

    // From the files, the buckets of the dropped month are still known.
    const changed = await tampered(db, [
      sql`update reading_bucket set sum = sum + 1 where span = ${DAY} and start = ${start}`,
    ]);
    expect(changed.map(words)).toEqual(
      [1, 2].map((id) => `reading_bucket, device ${id}, ${DAY} ms from 2026-04-28T00:00:00.000Z: sum`),
    );
    const [deleted] = await tampered(db, [
      sql`delete from reading where device = 1 and seq = (select min(seq) from reading where device = 1)`,
    ]);
    expect(deleted).toMatchObject({ table: "reading", column: null, found: null });
  });

  it("does not miss readings of a month that was dropped and that late readings created again", async () => {
    const db = await open();
    const { send } = opened(db);
    const one = newDevice({ name: "meter", start: Date.UTC(2026, 3, 3), step: DAY });
    await enrol(db, one, { interval: DAY });
    const readings = [];
    for (let added = 0; added < 10; added += 1) readings.push(await one.next());
    await send(readings.slice(0, 5));
    await buildNext(db, "tide", { to: Date.UTC(2026, 3, 9) / 1_000 });
    expect(await dropOldMonths(db, 1, Date.UTC(2026, 5, 1))).toEqual(["reading_202604"]);
    await send(readings.slice(5));
    expect((await collect(auditTelemetry({ db, chainIds: [CHAIN] }))).differences).toEqual([]);
    expect((await collect(auditTelemetry({ db, chainIds: [CHAIN], since: Date.now() - 60_000 }))).differences).toEqual(
      [],
    );
  });

  it("does not miss readings that were batched and dropped between two steps", async () => {
    const db = await open();
    const { send } = opened(db);
    const one = newDevice({ name: "meter", start: Date.UTC(2026, 3, 30), step: DAY / 250 });
    await enrol(db, one, { interval: DAY / 250 });
    const readings = [];
    for (let added = 0; added < 251; added += 1) readings.push(await one.next());
    await send(readings);
    const differences = [];
    let slices = 0;
    for await (const slice of auditTelemetry({ db, chainIds: [CHAIN] })) {
      differences.push(...slice.differences);
      slices += 1;
      if (slices > 1) continue;
      await buildNext(db, "tide", { to: Date.UTC(2026, 4, 1) / 1_000 });
      expect(await dropOldMonths(db, 1, Date.UTC(2026, 5, 1))).toEqual(["reading_202604"]);
    }
    expect(differences).toEqual([]);
    expect((await collect(auditTelemetry({ db, chainIds: [CHAIN] }))).differences).toEqual([]);
  });
});
