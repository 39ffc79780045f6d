import { Readable } from "node:stream";
import type { OperatorDevice } from "@aqua/sdk/api/operator";
import type { Device, Fleet, ReadingSeries } from "@aqua/sdk/api/telemetry";
import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { createKeys } from "../../src/keys.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { createDevices, type Devices } from "../../src/telemetry/devices.ts";
import { upsertInterval } from "../../src/telemetry/intervals.ts";
import { deviceInterval } from "../../src/telemetry/schema.ts";
import { migrateTo, withDatabase } from "../support/databases.ts";
import {
  assignKey,
  CHAIN,
  DAY,
  type Endpoint,
  enrol,
  HOUR,
  indexChain,
  listProduct,
  NOW,
  openEndpoint,
  record,
} from "./rows.ts";

const listOf = async (devices: Devices): Promise<OperatorDevice[]> =>
  (await Readable.from(devices.slices()).toArray()).flat();

const MIDNIGHT = NOW - (NOW % DAY);

withDatabase("a device whose interval has changed", (open) => {
  let db: Database;
  let door: Endpoint;
  let devices: Devices;
  const writer = createLogWriter(createKeys(new Uint8Array(32)));
  beforeAll(async () => {
    db = await open();
    door = await openEndpoint(db);
    await indexChain(db);
    await listProduct(db, "sahel-solar", { number: 1 });
    devices = createDevices({ db, chainIds: [CHAIN], writer });
  });

  const readingsOf = (times: readonly number[]) =>
    times.map((time, index) => ({ seq: index + 1, time, value: BigInt(index % 50) }));
  const told = async (shortId: string) => (await door.get<Device[]>(`product/${shortId}/devices`))[0];

  it("is measured by each interval for as long as it applied: from once a day to once an hour to every ten seconds", async () => {
    await listProduct(db, "faster", { number: 2 });
    const one = await enrol(db, "faster-1", "power", { shortId: "faster", createTime: NOW - 90 * DAY });
    await assignKey(db, "faster-1", 10);
    const hourly = MIDNIGHT - 2 * DAY;
    const live = NOW - 120_000;
    const days = Array.from({ length: 58 }, (_, index) => MIDNIGHT - (60 - index) * DAY + HOUR);
    const hours = Array.from(
      { length: Math.floor((live - hourly) / HOUR) },
      (_, index) => hourly + (index + 0.5) * HOUR,
    );
    const seconds = Array.from({ length: 6 }, (_, index) => live + index * 10_000);
    await record(db, one, readingsOf([...days, ...hours, ...seconds]));

    // With the enrolled interval of an hour, most of the month counts as missing, but the device does not count as
    // silent.
    const before = await told("faster");
    expect(Number(before?.availability)).toBeLessThan(0.2);
    expect(before).toMatchObject({ interval: HOUR, status: "online" });
    for (const [since, interval] of [
      [MIDNIGHT - 60 * DAY, DAY],
      [hourly, HOUR],
      [live, 10_000],
    ] as const)
      await upsertInterval(db.orm, { device: one.id, since, interval });
    const after = await told("faster");
    const due = Math.floor(28 + (live - hourly) / HOUR + 12);
    expect(Number(after?.availability)).toBeCloseTo((28 + hours.length + 6) / due, 5);
    expect(before?.intervals).toEqual([{ since: null, interval: HOUR }]);
    const history = [
      { since: null, interval: HOUR },
      { since: MIDNIGHT - 60 * DAY, interval: DAY },
      { since: hourly, interval: HOUR },
      { since: live, interval: 10_000 },
    ];
    expect(after?.intervals).toEqual(history);
    // Recording the same interval again changes nothing.
    await upsertInterval(db.orm, { device: one.id, since: hourly + 1, interval: HOUR });
    expect((await told("faster"))?.intervals).toEqual(history);
    // 70 s of silence are seven of its intervals.
    expect(after).toMatchObject({ interval: 10_000, status: "late" });
    expect(
      (await door.get<Fleet>("transparency/devices")).feeds.find((feed) => feed.short_id === "faster"),
    ).toMatchObject({
      readings_stale: true,
    });
    // A chart's step is never shorter than the time between two readings.
    const steps = async (from: number) =>
      (await door.get<ReadingSeries>(`product/faster/readings?resolution=raw&from=${from}`)).devices[0]?.step;
    expect([await steps(live), await steps(live - 1), await steps(hourly - DAY)]).toEqual([10_000, HOUR, DAY]);
  });

  it("lists the newest of many changes, among them the current one", async () => {
    await listProduct(db, "restless", { number: 3 });
    const one = await enrol(db, "restless-1", "power", { shortId: "restless", createTime: NOW - 90 * DAY });
    for (let index = 0; index < 100; index++) {
      await upsertInterval(db.orm, { device: one.id, since: NOW - 60 * DAY + index * HOUR, interval: 10_000 + index });
    }
    const found = await told("restless");
    expect(found?.intervals).toHaveLength(24);
    expect(found?.intervals.at(-1)?.interval).toBe(10_099);
    expect(found?.interval).toBe(10_099);
    expect(found?.intervals[0]).toEqual({ since: NOW - 60 * DAY + 76 * HOUR, interval: 10_076 });
  });

  it("can be changed by its operator from now or any time of its service on, and a repeated call has no effect", async () => {
    const now = Date.now();
    const one = await enrol(db, "asked", "power", { createTime: now - DAY });
    await db.transaction((tx) => writer.row(tx, "device", { subject: "asked" }));
    await record(db, one, readingsOf([now - 10 * DAY, now - 5_000]));
    const change = (interval: number, since?: number) => devices.changeInterval("asked", { interval, since });
    const kept = async () => (await change(10_000)).intervals;

    const changed = await change(10_000);
    expect(changed).toMatchObject({
      interval: 10_000,
      intervals: [{ since: null, interval: HOUR }, { interval: 10_000 }],
    });
    expect(changed.intervals[1]?.since).toBeGreaterThanOrEqual(now);
    expect(await change(10_000)).toEqual(changed);
    const past = now - 9 * DAY;
    await change(DAY, past);
    // An interval for a later time is not removed.
    expect(await change(DAY, past)).toMatchObject({ interval: 10_000 });
    expect(await kept()).toEqual([
      { since: null, interval: HOUR },
      { since: past, interval: DAY },
      changed.intervals[1],
    ]);
    await change(2 * HOUR, past);
    expect((await kept())[1]).toEqual({ since: past, interval: 2 * HOUR });
    expect((await listOf(devices)).find(({ name }) => name === "asked")).toMatchObject({ interval: 10_000 });

    const refused = (words: string) => ({ code: "validation_error", message: expect.stringContaining(words) });
    await expect(change(HOUR, now + HOUR)).rejects.toMatchObject(refused("future"));
    await expect(change(HOUR, now - 12 * DAY)).rejects.toMatchObject(refused("when it began"));
    await expect(devices.changeInterval("nobody", { interval: HOUR })).rejects.toMatchObject({ code: "not_found" });
    const retired = await devices.retire("asked");
    await expect(change(HOUR)).rejects.toMatchObject({ code: "conflict" });
    expect(await change(HOUR, (retired.retired_at ?? 0) - HOUR)).toMatchObject({ interval: 10_000 });
  });
});

withDatabase("a database from before a device's interval could change", (open) => {
  it("has each device with the interval of its enrolment from its beginning on, and the interval can change", async () => {
    const db = await open({ migrated: false });
    await migrateTo(db, 6);
    await db.orm.execute(sql`insert into device (name, chain_id, short_id, metric, exponent, place, latitude, longitude,
      model, trust, min, max, interval, secret_hash, create_time)
      values ('old', ${CHAIN}, 'tide', 'power', 0, 'Brest', 48.4, -4.5, 'T1', 'attested', 0, 9, 3600000, '\\x00', ${NOW})`);
    await db.orm.execute(sql`insert into device_head (device, seq, hash, time, accepted, repeats, readings)
      values (1, 7, '\\x01', ${NOW}, ${NOW}, 1, 7)`);
    expect(await migrate(db)).toBeGreaterThan(0);
    const devices = createDevices({ db, chainIds: [CHAIN], writer: createLogWriter(createKeys(new Uint8Array(32))) });
    const [old] = await listOf(devices);
    expect(old).toMatchObject({
      name: "old",
      interval: HOUR,
      intervals: [{ since: null, interval: HOUR }],
      last: { seq: 7 },
    });
    expect(await devices.changeInterval("old", { interval: 10_000 })).toMatchObject({ interval: 10_000 });
    expect(await db.orm.select().from(deviceInterval)).toHaveLength(1);
  });
});
