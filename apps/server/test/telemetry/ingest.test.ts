import type { TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import { asc, eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { bucketsOf } from "../../src/telemetry/buckets.ts";
import { retireDevice } from "../../src/telemetry/deviceStore.ts";
import { createDirectory } from "../../src/telemetry/directory.ts";
import { Busy, createIngest, type IngestParts } from "../../src/telemetry/ingest.ts";
import { createPartitions } from "../../src/telemetry/partitions.ts";
import {
  device,
  deviceHead,
  reading,
  readingBucket,
  refusalCount,
  refusedReading,
} from "../../src/telemetry/schema.ts";
import { signaturesOf } from "../../src/telemetry/signature.ts";
import { withDatabase } from "../support/databases.ts";
import { counting } from "../support/queries.ts";
import { addKey, enrol, newDevice, newSigner, revokeKey, type TestDevice } from "./devices.ts";

const http = { via: "http" } as const;
const ingestOf = (db: Database, more: Partial<IngestParts> = {}) =>
  createIngest({ db, directory: createDirectory(db.orm), partitions: createPartitions(db), ...more });

async function stored(db: Database, name: string) {
  return db.orm
    .select({ seq: reading.seq, time: reading.time, value: reading.value, flaw: reading.flaw })
    .from(reading)
    .innerJoin(device, eq(device.id, reading.device))
    .where(eq(device.name, name))
    .orderBy(asc(reading.seq));
}
const numbers = async (db: Database, name: string) => (await stored(db, name)).map(({ seq }) => seq);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const reasons = ({ rejected }: TelemetryAnswer) => rejected.map(({ reason }) => reason);

const byReason = (a: { reason: string }, b: { reason: string }) => (a.reason < b.reason ? -1 : 1);

async function several(one: TestDevice, count: number) {
  const readings = [];
  for (let index = 0; index < count; index += 1) readings.push(await one.next());
  return readings;
}

/** The stored buckets of a device, and the buckets computed from its readings. */
async function buckets(db: Database, name: string) {
  const [row] = await db.orm.select({ id: device.id }).from(device).where(eq(device.name, name));
  const id = row?.id ?? 0;
  const kept = await db.orm
    .select()
    .from(readingBucket)
    .where(eq(readingBucket.device, id))
    .orderBy(asc(readingBucket.span), asc(readingBucket.start));
  return { kept, recomputed: bucketsOf(id, await stored(db, name)) };
}

withDatabase("ingest", (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });

  it("signed readings of both kinds of key are stored in their chain, and are duplicates without effect if they are sent again", async () => {
    const devices = [newDevice({ name: "hardware" }), newDevice({ name: "simulator", kind: "secp256k1" })];
    const ingest = ingestOf(db);
    for (const one of devices) {
      await enrol(db, one);
      const readings = await several(one, 5);
      expect(await ingest.take(readings, http)).toMatchObject({ accepted: 5, duplicates: 0, rejected: [] });
      expect(await ingest.take(readings, http)).toMatchObject({ accepted: 0, duplicates: 5, rejected: [] });
      expect(await ingestOf(db).take([readings[2]], http)).toMatchObject({ duplicates: 1, rejected: [] });
      expect(await numbers(db, one.name)).toEqual(upTo(5));
    }
  });

  it("readings of a hostile device are rejected with their reason, stored separately, and never counted", async () => {
    const one = newDevice({ name: "hostile" });
    await enrol(db, one);
    const ingest = ingestOf(db);
    const [first, second] = await several(one, 2);
    await ingest.take([first, second], http);
    const forged = await newDevice({ name: "hostile" }).next({ seq: 3 });
    const sent = [
      "not even an object",
      { ...second, seq: 1.5 },
      await newDevice({ name: "nobody" }).next(),
      await one.next({ metric: "energy" }, false),
      await one.next({ time: Date.now() + 200_000 }, false),
      forged,
      { ...(await one.next({}, false)), value: "1" },
      await one.next({ seq: 2 }, false),
      await one.next({ seq: 9, prev: first?.prev ?? "" }, false),
      await one.next({ prev: first?.prev ?? "" }, false),
      await one.next({ time: second?.time ?? 0 }, false),
    ];
    const answer = await ingest.take(sent, http);
    expect(reasons(answer)).toEqual([
      ...["malformed", "malformed", "unknown_device", "metric", "future", "signature"],
      ...["signature", "replay", "gap", "chain", "time_order"],
    ]);
    expect(answer.rejected.map(({ index }) => index)).toEqual(upTo(11).map((place) => place - 1));
    expect(answer.rejected[8]?.head?.seq).toBe(2);
    expect(answer.rejected[2]).not.toHaveProperty("head");
    expect(await numbers(db, "hostile")).toEqual([1, 2]);
    expect(await ingest.take([await one.next()], http)).toMatchObject({ accepted: 1 });
    const rows = await db.orm.select().from(refusedReading).orderBy(asc(refusedReading.id));
    expect(rows.map(({ device, reason }) => [device, reason]).slice(0, 4)).toEqual([
      [null, "malformed"],
      ["hostile", "malformed"],
      ["nobody", "unknown_device"],
      ["hostile", "metric"],
    ]);
    expect(JSON.parse(rows[5]?.payload ?? "")).toEqual(forged);
    const counts = await db.orm.select().from(refusalCount);
    expect(
      counts
        .filter(({ device }) => device === "")
        .sort(byReason)
        .map(({ reason, count }) => [reason, count]),
    ).toEqual([
      // Without a valid signature, nothing proves that the device sent it.
      ["future", 1],
      ["malformed", 2],
      ["metric", 1],
      ["signature", 2],
      ["unknown_device", 1],
    ]);
    expect(
      counts
        .filter(({ device }) => device === "hostile")
        .sort(byReason)
        .map(({ reason, count }) => [reason, count]),
    ).toEqual([
      ["chain", 1],
      ["gap", 1],
      ["replay", 1],
      ["time_order", 1],
    ]);
  });

  it("readings out of order are rejected as a gap, and accepted if they are sent again in order", async () => {
    const one = newDevice({ name: "shuffled" });
    await enrol(db, one);
    const ingest = ingestOf(db);
    const readings = await several(one, 5);
    for (const place of [2, 0, 4, 0, 1, 3]) {
      const answer = await ingest.take([readings[place]], http);
      const [refused] = answer.rejected;
      if (refused === undefined) continue;
      expect(refused.reason).toBe("gap");
      // Like a device that reads the responses.
      await ingest.take(readings.slice(refused.head?.seq ?? 0, place + 1), http);
    }
    expect(await numbers(db, "shuffled")).toEqual(upTo(5));
    const { kept, recomputed } = await buckets(db, "shuffled");
    expect(kept.length).toBeGreaterThan(0);
    expect(kept).toEqual(recomputed);
  });

  it("a device that has lost readings continues from the last accepted one with a later number", async () => {
    const one = newDevice({ name: "lossy" });
    await enrol(db, one);
    const readings = [await one.next(), await one.next({ seq: 7 }), await one.next()];
    expect(await ingestOf(db).take(readings, http)).toMatchObject({ accepted: 3 });
    expect(await numbers(db, "lossy")).toEqual([1, 7, 8]);
  });

  it("a key is valid from its block until its end without a call to the server", async () => {
    const one = newDevice({ name: "rotating", start: Date.now() - 600_000, step: 60_000 });
    const seconds = (offset: number) => Math.floor((Date.now() + offset) / 1_000);
    await enrol(db, one, { validFrom: seconds(3_600_000) });
    const ingest = ingestOf(db);
    const readings = await several(one, 5);
    expect(reasons(await ingest.take(readings, http))[0]).toBe("no_key");
    const fresh = newSigner("p256", "");
    await db.orm.execute(sql`delete from device_key where valid_from > ${seconds(0)}`);
    await addKey(db, "rotating", one.key, 1);
    expect(await ingest.take(readings.slice(0, 3), http)).toMatchObject({ accepted: 3 });
    await revokeKey(db, "rotating", Math.floor((readings[4]?.time ?? 0) / 1_000));
    // The reading was measured before the key ended and is sent afterwards.
    expect(await ingest.take(readings.slice(3), http)).toMatchObject({ accepted: 1, rejected: [{ reason: "no_key" }] });
    await addKey(db, "rotating", fresh.key, Math.floor((readings[4]?.time ?? 0) / 1_000));
    expect(reasons(await ingest.take(readings.slice(4), http))).toEqual(["signature"]);
    expect(await ingest.take(readings.slice(0, 3), http)).toMatchObject({ duplicates: 3 });
  });

  it("readings of a retired device are rejected from its retirement on", async () => {
    const one = newDevice({ name: "retiring" });
    await enrol(db, one);
    const ingest = ingestOf(db);
    await ingest.take([await one.next()], http);
    await retireDevice(db.orm, "retiring", Date.now());
    expect(reasons(await ingest.take([await one.next()], http))).toEqual(["retired"]);
  });

  it("a device's own connection accepts only its own readings", async () => {
    const one = newDevice({ name: "own-line" });
    await enrol(db, one);
    const first = await one.next();
    expect(reasons(await ingestOf(db).take([first], { via: "mqtt", device: "lossy" }))).toEqual(["malformed"]);
    expect(await ingestOf(db).take([first], { via: "mqtt", device: "own-line" })).toMatchObject({ accepted: 1 });
  });

  it("readings that no table or text can store are rejected as malformed, and do not affect other readings", async () => {
    const [one, bad] = [newDevice({ name: "beside" }), newDevice({ name: "poison" })];
    await enrol(db, one);
    await enrol(db, bad);
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown;
    const sent = [
      "not JSON \u0000",
      { ...(await bad.next({}, false)), "\u0000": "\u0000" },
      { ...(await bad.next()), "\ud800": 1 },
      deep,
    ];
    const ingest = ingestOf(db);
    const line = { via: "mqtt", device: "poison", waits: true } as const;
    const good = await one.next();
    const [taken, ...answers] = await Promise.all([
      ingest.take([good], { via: "mqtt", device: "beside", waits: true }),
      ...sent.map((what) => ingest.take([what], line)),
    ]);
    expect(taken).toMatchObject({ accepted: 1 });
    expect(answers.map(reasons)).toEqual(sent.map(() => ["malformed"]));
    const rows = await db.orm.select().from(refusedReading).where(eq(refusedReading.device, "poison"));
    expect(rows.map(({ payload }) => payload)).toEqual(
      expect.arrayContaining(["not JSON \ufffd", "(nested too deeply to be kept)"]),
    );
    expect(rows.map(({ message }) => message)).toContain('This is no reading: Unrecognized key: "\ufffd"');
  });

  it("flawed readings stay in the chain and count in no figure, and buckets equal the sum of readings", async () => {
    const values = ["500", "5000001", "510", "9000", "520", ...Array(13).fill("530"), "540"];
    const day = 86_400_000;
    const start = Math.floor(Date.now() / day) * day - 3 * day - 1_000;
    const one = newDevice({ name: "flawed", start, step: 900_000 });
    await enrol(db, one, { maxStep: 100n, interval: 900_000 });
    const readings = [];
    for (const value of values) readings.push(await one.next({ value }));
    const ingest = ingestOf(db);
    for (const size of [1, 4, 9, 99]) expect((await ingest.take(readings.splice(0, size), http)).rejected).toEqual([]);
    const validationIssues = (await stored(db, "flawed")).map(({ flaw }) => flaw);
    expect(validationIssues).toEqual([null, "bounds", null, "jump", ...Array(12).fill(null), "frozen", "frozen", null]);
    const { kept, recomputed } = await buckets(db, "flawed");
    expect(kept).toEqual(recomputed);
    expect(kept.length).toBeGreaterThan(6);
    const ofDay = kept.filter(({ span }) => span === day);
    expect(ofDay.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
    expect(Math.max(...ofDay.map(({ max }) => Number(max)))).toBe(540);
  });

  it("fifty simultaneous and repeated deliveries of one device are stored once each and in order", async () => {
    const one = newDevice({ name: "busy" });
    await enrol(db, one);
    const readings = await several(one, 150);
    const parts = upTo(50).map((part) => readings.slice((part - 1) * 3, part * 3));
    const ingest = ingestOf(db, { settings: { groupReadings: 20 } });
    const answers = await Promise.all(parts.map((part) => ingest.take(part, http)));
    expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(150);
    // Two servers receive the readings in no order. Rejected readings are sent again from the head on.
    const again = newDevice({ name: "contended" });
    await enrol(db, again);
    const contended = await several(again, 60);
    const servers = [ingestOf(db), ingestOf(db)];
    let accepted = 0;
    for (let head = 0; head < 60; ) {
      const next = contended.slice(head, head + 7);
      const answers = await Promise.all(servers.map((server) => server.take(next, http)));
      accepted += answers.reduce((sum, { accepted }) => sum + accepted, 0);
      head += next.length;
    }
    expect(accepted).toBe(60);
    for (const [name, last] of [
      ["busy", 150],
      ["contended", 60],
    ] as const) {
      expect(await numbers(db, name)).toEqual(upTo(last));
      const { kept, recomputed } = await buckets(db, name);
      expect(kept).toEqual(recomputed);
      const heads = await db.orm
        .select({ readings: deviceHead.readings, seq: deviceHead.seq })
        .from(deviceHead)
        .innerJoin(device, eq(device.id, deviceHead.device))
        .where(eq(device.name, name));
      expect(heads).toEqual([{ readings: last, seq: last }]);
    }
  });

  it("a flood is rejected before it is checked, and rejected readings that are sent again are not lost", async () => {
    const one = newDevice({ name: "flooding" });
    await enrol(db, one);
    const readings = await several(one, 60);
    const ingest = ingestOf(db, { settings: { queueReadings: 10 } });
    const tries = await Promise.allSettled(readings.map((reading) => ingest.take([reading], http)));
    const turnedAway = tries.filter((one) => one.status === "rejected");
    expect(turnedAway.length).toBe(50);
    for (const { reason } of turnedAway) expect(reason).toBeInstanceOf(Busy);
    expect(ingest.depth()).toBe(0);
    for (let head = 10; head < 60; head += 10) {
      const answers = await Promise.all(readings.slice(head, head + 10).map((reading) => ingest.take([reading], http)));
      expect(answers.every(({ accepted }) => accepted === 1)).toBe(true);
    }
    expect(await numbers(db, "flooding")).toEqual(upTo(60));
    const heavy = ingestOf(db, { settings: { queueBytes: 5_000 } });
    await expect(heavy.take(Array(3).fill("x".repeat(2_000)), http)).rejects.toBeInstanceOf(Busy);
  });

  it("a flood of devices without a cached key does not look up each reading", async () => {
    const some = await Promise.all(
      ["first-1", "first-2", "first-3"].map(async (name) => {
        const one = newDevice({ name });
        await enrol(db, one);
        return several(one, 20);
      }),
    );
    const { db: watched, queries } = counting(db);
    const ingest = ingestOf(watched);
    const answers = await Promise.all(some.flat().map((reading) => ingest.take([reading], http)));
    expect(answers.every(({ accepted }) => accepted === 1)).toBe(true);
    expect(queries.filter((query) => /from "device" where "device"."name" in/.test(query)).length).toBeLessThan(5);
  });

  it("a flood that can wait is accepted in order of arrival, and leaves room for callers that cannot wait", async () => {
    const one = newDevice({ name: "patient" });
    await enrol(db, one);
    const readings = await several(one, 60);
    const ingest = ingestOf(db, { settings: { queueReadings: 10, groupReadings: 4 } });
    let deepest = 0;
    const answers = readings.map(async (reading, index) => {
      // Some readings arrive while there is room for them, and others wait.
      if (index > 30) await new Promise((resolve) => setImmediate(resolve));
      const { accepted } = await ingest.take([reading], { via: "mqtt", device: "patient", waits: true });
      deepest = Math.max(deepest, ingest.depth());
      return accepted;
    });
    expect(await ingest.take([readings[0]], http)).toMatchObject({ duplicates: 1 });
    expect(new Set(await Promise.all(answers))).toEqual(new Set([1]));
    expect(deepest).toBeLessThanOrEqual(10);
    expect(await numbers(db, "patient")).toEqual(upTo(60));
    expect(ingest.depth()).toBe(0);
  });

  it("readings that are accepted before the stop are stored, and none is accepted after it", async () => {
    const one = newDevice({ name: "ending" });
    await enrol(db, one);
    const ingest = ingestOf(db, { settings: { queueReadings: 5 } });
    const answers = (await several(one, 5)).map((reading) => ingest.take([reading], http));
    const waiting = expect(ingest.take([await one.next()], { via: "mqtt", waits: true })).rejects.toBeInstanceOf(Busy);
    await ingest.stop();
    await waiting;
    expect(await numbers(db, "ending")).toEqual(upTo(5));
    expect((await Promise.all(answers)).length).toBe(5);
    await expect(ingest.take([await one.next()], http)).rejects.toBeInstanceOf(Busy);
  });

  it("the table of a new month is created, also by two deliveries at once", async () => {
    const partitions = [createPartitions(db), createPartitions(db)];
    const time = Date.UTC(2019, 1, 28, 23, 59, 59, 999);
    await Promise.all(partitions.map((one) => one.ensure([time, time + 1])));
    const { rows } = await db.orm.execute<{ name: string }>(
      sql`select relname as name from pg_class where relname like 'reading_2019%' and relkind = 'r' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(["reading_201902", "reading_201903"]);
    // If another process drops a partition meanwhile, it is created again and no reading is lost.
    const one = newDevice({ name: "late", start: time, step: 1 });
    await enrol(db, one);
    const ingest = ingestOf(db);
    await ingest.take([await one.next()], http);
    await db.orm.execute(sql`drop table reading_201903`);
    expect(await ingest.take([await one.next()], http)).toMatchObject({ accepted: 1 });
  });

  describe("forged readings", () => {
    /** An ingest that counts the signatures it checks. */
    const countingIngest = (on: Database) => {
      const counted = { checks: 0 };
      const signatures: typeof signaturesOf = (...of) => {
        counted.checks += 1;
        return signaturesOf(...of);
      };
      return { counted, ingest: ingestOf(on, { signatures }) };
    };

    it.each(["p256", "secp256k1"] as const)(
      "of a device with a %s key in twelve deliveries of 500 are rejected after a few checks",
      async (kind) => {
        const one = newDevice({ name: `forged-${kind}`, kind });
        await enrol(db, one);
        const forged = await one.next();
        const { counted, ingest } = countingIngest(db);
        const delivery = Array.from({ length: 500 }, (_, index) => ({ ...forged, value: String(index + 1_000_000) }));
        const answers = await Promise.all(upTo(12).map(() => ingest.take(delivery, http)));
        for (const answer of answers) {
          const looked = reasons(answer).filter((reason) => reason === "signature").length;
          expect(answer).toMatchObject({ accepted: 0, duplicates: 0 });
          expect(answer.rejected).toHaveLength(500);
          expect(looked).toBeLessThanOrEqual(kind === "p256" ? 32 : 3);
          expect(answer.rejected.at(-1)).toMatchObject({ reason: "unchecked", head: null });
        }
        expect(counted.checks).toBeLessThanOrEqual(12 * (kind === "p256" ? 32 : 3));
        // The device itself can still send meanwhile.
        expect(await ingest.take([forged], http)).toMatchObject({ accepted: 1 });
      },
    );

    it("of many devices in one delivery are rejected together", async () => {
      const many = upTo(20).map((number) => newDevice({ name: `many-${number}`, kind: "secp256k1" }));
      for (const one of many) await enrol(db, one);
      const { counted, ingest } = countingIngest(db);
      const forged = await Promise.all(many.map(async (one) => ({ ...(await one.next()), value: "1000000" })));
      const answer = await ingest.take(
        upTo(25).flatMap(() => forged),
        http,
      );
      expect(counted.checks).toBe(10);
      expect(reasons(answer).filter((reason) => reason === "unchecked")).toHaveLength(490);
    });

    it("of unknown devices, other metrics or times without a key are rejected before any signature is checked", async () => {
      const one = newDevice({ name: "unlooked" });
      await enrol(db, one);
      const { counted, ingest } = countingIngest(db);
      const reading = await one.next();
      const sent = [
        ...upTo(400).map((number) => ({ ...reading, device: `unknown-${number}` })),
        ...Array(50).fill({ ...reading, metric: "energy" }),
        ...Array(50).fill({ ...reading, time: Date.now() + 3_600_000 }),
      ];
      const answer = await ingest.take(sent, http);
      expect(new Set(reasons(answer))).toEqual(new Set(["unknown_device", "metric", "future"]));
      expect(counted.checks).toBe(0);
    });

    it("do not affect readings of others beside them, and unchecked readings are accepted if they are sent again", async () => {
      const [one, bad] = [newDevice({ name: "beside-forged" }), newDevice({ name: "forger", kind: "secp256k1" })];
      await enrol(db, one);
      await enrol(db, bad);
      const forged = Array(50).fill({ ...(await bad.next()), value: "1000000" });
      const good = await several(one, 50);
      const ingest = ingestOf(db);
      const mixed = good.flatMap((reading, index) => [reading, forged[index]]);
      expect(await ingest.take(mixed, http)).toMatchObject({ accepted: 50 });
      expect(await numbers(db, "beside-forged")).toEqual(upTo(50));
    });

    it("let other work run on the main thread between two signatures", async () => {
      const one = newDevice({ name: "yielding", kind: "secp256k1" });
      await enrol(db, one);
      const readings = await several(one, 40);
      let turns = 0;
      let done = false;
      const turn = () => {
        turns += 1;
        if (!done) setImmediate(turn);
      };
      setImmediate(turn);
      expect(await ingestOf(db).take(readings, http)).toMatchObject({ accepted: 40 });
      done = true;
      expect(turns).toBeGreaterThanOrEqual(40);
    });

    it("are all counted, and a hundred per hour in total are stored, never in the device's name", async () => {
      const fresh = await open();
      const one = newDevice({ name: "storming" });
      await enrol(fresh, one);
      const ingest = ingestOf(fresh);
      const first = await one.next();
      await ingest.take([first], http);
      const bad = { ...(await one.next()), value: "12" };
      const line = { via: "mqtt", device: "storming" } as const;
      const long = { device: "storming", note: "x".repeat(5_000) };
      const replayed = await one.next({ seq: 1 }, false);
      for (let turn = 0; turn < 3; turn += 1) {
        const unknown = upTo(60).map((index) => ({ ...bad, device: `name-${turn}-${index}` }));
        await ingest.take([...Array(60).fill(bad), ...unknown, "junk"], http);
        await ingest.take([...Array(60).fill(replayed), ...Array(5).fill(long)], line);
      }
      const rows = await fresh.orm.select().from(refusedReading);
      const ofDevice = rows.filter(({ device, via }) => device === "storming" && via === "mqtt");
      expect(ofDevice.length).toBe(100);
      expect(rows.length).toBe(200);
      expect(Math.max(...rows.map(({ payload }) => payload.length))).toBe(2_000);
      const counts = await fresh.orm.select().from(refusalCount);
      const strangers = counts.filter(({ device }) => device === "");
      const sum = (of: string[]) =>
        strangers.filter(({ reason }) => of.includes(reason)).reduce((s, { count }) => s + count, 0);
      expect([sum(["malformed"]), sum(["unknown_device"]), sum(["signature", "unchecked"])]).toEqual([3, 180, 180]);
      const own = counts.filter(({ device }) => device === "storming").map(({ reason, count }) => `${reason} ${count}`);
      expect(own.sort()).toEqual(["malformed 15", "replay 180"]);
    });
  });

  it("readings of a failed database transaction are never reported as stored", async () => {
    const one = newDevice({ name: "unlucky" });
    await enrol(db, one);
    let failing = true;
    const broken: Database = {
      ...db,
      transaction: (work, isolation) =>
        db.transaction(async (tx) => {
          const done = await work(tx);
          if (failing) throw new Error("the disk is full");
          return done;
        }, isolation),
    };
    const ingest = ingestOf(broken);
    const first = await one.next();
    await expect(ingest.take([first], http)).rejects.toThrow("the disk is full");
    expect(await numbers(db, "unlucky")).toEqual([]);
    failing = false;
    expect(await ingest.take([first], http)).toMatchObject({ accepted: 1 });
  });
});
