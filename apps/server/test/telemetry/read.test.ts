import type { List } from "@aqua/sdk/api/envelope";
import type { Device, Fleet, ReadingSeries, RefusedReading, StoredReading } from "@aqua/sdk/api/telemetry";
import { nameHex } from "@aqua/sdk/proofs/reading";
import { like, sql } from "drizzle-orm";
import fc from "fast-check";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { auditFinding } from "../../src/audit/schema.ts";
import { createAuditStore } from "../../src/audit/store.ts";
import type { Database } from "../../src/db/database.ts";
import { deviceKey } from "../../src/indexer/schema.ts";
import { startOf } from "../../src/telemetry/read/devices.ts";
import { device, refusalCount, refusedReading } from "../../src/telemetry/schema.ts";
import { withDatabase } from "../support/databases.ts";
import { counting } from "../support/queries.ts";
import {
  assignKey,
  batch,
  CHAIN,
  DAY,
  type Endpoint,
  type Enrolled,
  enrol,
  HOUR,
  indexChain,
  listProduct,
  NOW,
  openEndpoint,
  record,
} from "./rows.ts";

const THIS_HOUR = NOW - (NOW % HOUR);

withDatabase("TelemetryReadService", (open) => {
  let db: Database;
  let door: Endpoint;
  let meter: Enrolled;

  beforeAll(async () => {
    db = await open();
    door = await openEndpoint(db);
    await indexChain(db);
    await listProduct(db, "sahel-solar", { number: 1 });
    await listProduct(db, "lofoten-tidal", { number: 2 });
    await listProduct(db, "empty", { number: 3 });
    // Daily readings for a year, then hourly ones. The last one is ten minutes old.
    meter = await enrol(db, "meter-1", "energy", { min: 0n, max: 9_999_999n, createTime: NOW - 400 * DAY });
    const times = [
      ...Array.from({ length: 335 }, (_, index) => THIS_HOUR - (365 - index) * DAY),
      ...Array.from({ length: 30 * 24 }, (_, index) => THIS_HOUR - (30 * 24 - 1 - index) * HOUR),
    ];
    await record(
      db,
      meter,
      times.map((time, index) => ({ seq: index + 1, time, value: BigInt(1_000 + index * 25) })),
    );
    await assignKey(db, "meter-1", 10);
  });

  const devices = (shortId = "sahel-solar") => door.get<Device[]>(`product/${shortId}/devices`);
  const readings = (query = "") => door.get<ReadingSeries>(`product/sahel-solar/readings${query}`);

  it("returns a device's enrolment, key, newest figure and status", async () => {
    const [found] = await devices();
    expect(found).toMatchObject({
      name: "meter-1",
      short_id: "sahel-solar",
      chain_id: CHAIN,
      metric: "energy",
      kind: "register",
      unit: "kWh",
      place: "Well 4",
      trust: "software_key",
      min: "0.00",
      max: "99999.99",
      interval: HOUR,
      status: "online",
      key: { kind: "p256", valid_from: 1_600_000_000, valid_until: null },
      last: { seq: 1_055, time: THIS_HOUR, value: "273.50" },
      last_seen: THIS_HOUR,
      readings: 1_055,
      quality: { score: "1.000000", reasons: [] },
    });
  });

  it("applies a device's interval from the first of the readings that were imported with its enrolment", async () => {
    const moved = await enrol(db, "moved-1", "power", { shortId: "lofoten-tidal", createTime: NOW });
    // Hourly readings of two days. On the second day, every other reading is missing.
    const hours = Array.from({ length: 48 }, (_, index) => index).filter((hour) => hour < 24 || hour % 2 === 1);
    const first = startOf(NOW - 2 * DAY, DAY);
    await record(
      db,
      moved,
      hours.map((hour, index) => ({ seq: index + 1, time: first + hour * HOUR, value: BigInt(100 + index) })),
    );
    const found = (await devices("lofoten-tidal")).find(({ name }) => name === "moved-1");
    expect(Number(found?.availability)).toBeGreaterThan(0);
    expect(Number(found?.availability)).toBeLessThanOrEqual(0.75);
  });

  it("rejects an unknown product and an unknown device", async () => {
    for (const path of ["product/none/devices", "product/none/readings"])
      expect(await door.refusal(path)).toMatchObject({ status: 404, error_code: "pool_not_found" });
    for (const path of ["product/sahel-solar/readings?device=nobody", "transparency/devices/nobody/readings"])
      expect(await door.refusal(path)).toMatchObject({ status: 404, error_code: "not_found" });
    expect(await devices("empty")).toEqual([]);
    expect(await door.get<ReadingSeries>("product/empty/readings")).toMatchObject({ devices: [] });
  });

  it("uses the finest resolution that has at most 800 points", async () => {
    expect((await readings()).resolution).toBe("raw");
    expect((await readings(`?from=${NOW - 33 * DAY}`)).resolution).toBe("raw");
    const year = await readings(`?from=${NOW - 365 * DAY}`);
    expect(year.resolution).toBe("day");
    expect(year.devices[0]?.points.length).toBe(366);
    expect(year.devices[0]?.step).toBe(DAY);
    const ever = await readings("?from=0");
    expect(ever.resolution).toBe("day");
    expect(ever.to - ever.from).toBe(800 * DAY);
  });

  it("rejects a resolution with more points than that, and an invalid time", async () => {
    for (const query of [`resolution=raw&from=${NOW - 365 * DAY}`, `resolution=hour&from=${NOW - 35 * DAY}`])
      expect(await door.refusal(`product/sahel-solar/readings?${query}`)).toMatchObject({
        status: 400,
        error_code: "validation_error",
        details: [{ path: "resolution" }],
      });
    for (const query of [`from=${NOW}`, "from=5&to=5"])
      expect(await door.refusal(`product/sahel-solar/readings?${query}`)).toMatchObject({
        details: [{ path: "from" }],
      });
  });

  it("returns a register's count per step, or unknown if the step before is missing", async () => {
    const dial = await enrol(db, "dial", "energy", { shortId: "lofoten-tidal", exponent: 0 });
    const at = (hours: number) => THIS_HOUR - hours * HOUR;
    await record(db, dial, [
      { seq: 1, time: at(9), value: 100n },
      { seq: 2, time: at(9) + 60_000, value: 130n },
      { seq: 3, time: at(8), value: 150n },
      { seq: 4, time: at(7), value: 90n, flaw: "backwards" },
      // Number 5 is missing.
      { seq: 6, time: at(6), value: 180n },
      { seq: 7, time: at(5), value: 181n },
    ]);
    const told = async (query: string) => {
      const { devices } = await door.get<ReadingSeries>(
        `product/lofoten-tidal/readings?device=dial&from=${at(9)}&${query}`,
      );
      return devices[0]?.points.map(({ value, min, max, count, good }) => [value, min, max, count, good]);
    };
    expect(await told("resolution=hour")).toEqual([
      [null, "100", "130", 2, 2],
      ["20", "150", "150", 1, 1],
      [null, null, null, 1, 0],
      [null, "180", "180", 1, 1],
      ["1", "181", "181", 1, 1],
    ]);
    expect(await told("resolution=raw")).toEqual([
      [null, "100", "100", 1, 1],
      ["30", "130", "130", 1, 1],
      ["20", "150", "150", 1, 1],
      [null, "90", "90", 1, 0],
      [null, "180", "180", 1, 1],
      ["1", "181", "181", 1, 1],
    ]);
    // The reading before the span is the base of the count and is not shown.
    const { devices } = await door.get<ReadingSeries>(
      `product/lofoten-tidal/readings?device=dial&from=${at(8)}&to=${at(7)}&resolution=hour`,
    );
    expect(devices[0]?.points).toMatchObject([{ time: at(8), value: "20" }]);
  });

  it("returns the sums of the readings themselves", async () => {
    const product = "random";
    await listProduct(db, product, { number: 9 });
    const gauge = await enrol(db, "gauge", "temperature", {
      shortId: product,
      exponent: -1,
      createTime: NOW - 3 * DAY,
    });
    const [sample] = fc.sample(
      fc.array(
        fc.record({
          gap: fc.integer({ min: 1, max: 3 * HOUR }),
          value: fc.bigInt({ min: -500n, max: 900n }),
          flaw: fc.constantFrom(null, null, null, "bounds" as const, "frozen" as const),
        }),
        { minLength: 60, maxLength: 60 },
      ),
      { seed: 7, numRuns: 1 },
    );
    let time = NOW;
    const readings = (sample ?? [])
      .map(({ gap, value, flaw }, index) => {
        time -= gap;
        return { seq: 60 - index, time, value, flaw };
      })
      .reverse();
    await record(db, gauge, readings);
    for (const [resolution, span] of [
      ["hour", HOUR],
      ["day", DAY],
    ] as const) {
      const { devices } = await door.get<ReadingSeries>(`product/${product}/readings?resolution=${resolution}`);
      const starts = [...new Set(readings.map((one) => one.time - (one.time % span)))];
      const expected = starts.map((start) => {
        const all = readings.filter((one) => one.time >= start && one.time < start + span);
        const good = all.filter(({ flaw }) => flaw === null).map(({ value }) => Number(value) / 10);
        return {
          time: start,
          count: all.length,
          good: good.length,
          value: good.length === 0 ? null : good.reduce((sum, value) => sum + value, 0) / good.length,
        };
      });
      const points = devices[0]?.points ?? [];
      expect(points.map(({ time, count, good }) => ({ time, count, good }))).toEqual(
        expected.map(({ time, count, good }) => ({ time, count, good })),
      );
      points.forEach(({ value }, index) => {
        const mean = expected[index]?.value ?? null;
        if (mean === null) expect(value).toBeNull();
        else expect(Math.abs(Number(value) - mean)).toBeLessThan(0.00011);
      });
    }
    const [told] = await devices(product);
    // Counts from the first good reading of its first day, because that is older than the enrolment.
    const [oldest] = readings;
    const firstDay = (oldest?.time ?? 0) - ((oldest?.time ?? 0) % DAY);
    const counts = readings.find((one) => one.flaw === null && one.time < firstDay + DAY);
    const since = Math.min(NOW - 3 * DAY, counts?.time ?? NOW);
    const due = Math.floor((NOW - since) / HOUR);
    const hours = new Map<number, number>();
    for (const one of readings.filter((each) => each.time >= since - (since % DAY))) {
      const day = one.time - (one.time % DAY);
      hours.set(day, (hours.get(day) ?? 0) + 1);
    }
    const came = [...hours].reduce((sum, [day, count]) => {
      const length = Math.min(day + DAY, NOW) - Math.max(day, since);
      return sum + (length <= 0 ? 0 : Math.min(count, Math.ceil(length / HOUR) + 1));
    }, 0);
    expect(Number(told?.availability)).toBeCloseTo(Math.min(1, came / due), 5);
    const lost = told?.quality.reasons.reduce((sum, { share }) => sum + Number(share), 0) ?? 0;
    expect(lost + Number(told?.quality.score)).toBeCloseTo(1, 5);
  });

  it("returns each device's status and key", async () => {
    const product = "standing";
    await listProduct(db, product, { number: 8 });
    const put = async (name: string, age: number, change: object = {}) => {
      const device = await enrol(db, name, "power", { shortId: product, ...change });
      if (age >= 0) await record(db, device, [{ seq: 1, time: NOW - age, value: 1n }]);
    };
    await put("a-online", 3 * HOUR, { trust: "co_signed", coSigner: "grid" });
    await put("b-late", 3 * HOUR + 1);
    await put("c-offline", DAY + 1);
    await put("d-never", -1);
    await put("e-no-key", 0);
    await put("f-retired", 0, { retiredTime: NOW });
    await put("g-revoked", 0);
    for (const [index, name] of ["a-online", "b-late", "c-offline", "d-never", "f-retired", "g-revoked"].entries())
      await assignKey(db, name, 100 + index);
    await db.orm.insert(deviceKey).values({
      chainId: CHAIN,
      block: 200,
      logIndex: 0,
      time: 1_700_000_000,
      device: nameHex("g-revoked"),
      what: "revoked",
      kind: 0,
      x: null,
      y: null,
      validFrom: 1_700_000_001,
    });
    const told = await devices(product);
    expect(told.map(({ name, status }) => `${name.slice(2)} ${status.replace("_", "-")}`)).toEqual([
      ...["online online", "late late", "offline offline", "never never", "no-key no-key", "retired retired"],
      "revoked no-key",
    ]);
    expect(told.at(-1)?.key).toBeNull();
    expect(told.map(({ trust, co_signer }) => `${trust} ${co_signer}`)).toEqual([
      "co_signed grid",
      ...Array(6).fill("software_key null"),
    ]);
    expect(told.find(({ name }) => name === "d-never")).toMatchObject({ last: null, last_seen: null, readings: 0 });
  });

  it("names the gauge that differs from its neighbours", async () => {
    const product = "neighbours";
    await listProduct(db, product, { number: 7 });
    for (const [name, value] of [
      ["n-1", 5_000n],
      ["n-2", 5_010n],
      ["n-3", 4_995n],
      ["n-4", 90_000n],
    ] as const) {
      const device = await enrol(db, name, "flow", { shortId: product, createTime: NOW - 5 * HOUR });
      await record(
        db,
        device,
        Array.from({ length: 5 }, (_, index) => ({ seq: index + 1, time: THIS_HOUR - (4 - index) * HOUR, value })),
      );
    }
    const told = await devices(product);
    expect(told.map(({ quality }) => quality.score)).toEqual(["1.000000", "1.000000", "1.000000", "0.000000"]);
    expect(told[3]?.quality.reasons).toEqual([{ reason: "neighbour", share: "1.000000" }]);
  });

  it("lists readings as they are stored, newest first, and in which batch each is", async () => {
    await batch(db, "sahel-solar", 1, [[meter, 1, 1_000]], 500);
    await batch(db, "sahel-solar", 2, [[meter, 1_001, 1_050]], null);
    const kept = (query = "") => door.get<StoredReading[]>(`transparency/devices/meter-1/readings${query}`);
    const newest = await kept();
    expect(newest).toHaveLength(20);
    expect(newest[0]).toMatchObject({
      seq: 1_055,
      value: "273.50",
      unit: "kWh",
      flaw: null,
      batch: null,
      anchored: false,
    });
    expect(newest[5]).toMatchObject({ seq: 1_050, batch: 2, anchored: false });
    expect((await kept("?before=1001&limit=2")).map(({ seq, batch, anchored }) => [seq, batch, anchored])).toEqual([
      [1_000, 1, true],
      [999, 1, true],
    ]);
    expect(await door.refusal("transparency/devices/meter-1/readings?limit=201")).toMatchObject({ status: 400 });
  });

  it("lists rejected readings, and counts the fleet and its feeds", async () => {
    const row = { received: NOW - 1_000, device: "meter-1", message: "Not so", via: "mqtt" as const, payload: "{}" };
    await db.orm.insert(refusedReading).values([
      { ...row, reason: "signature" },
      { ...row, reason: "gap", via: "http" },
      { ...row, reason: "gap", received: NOW - 2 * DAY },
      // Readings that strangers send in a device's name, or without a known name, change no public figure.
      { ...row, reason: "signature", via: "http" },
      { ...row, reason: "malformed", via: "http" },
      { ...row, reason: "malformed", device: null },
      { ...row, reason: "unknown_device", device: "nobody" },
    ]);
    const day = new Date(NOW).toISOString().slice(0, 10);
    await db.orm.insert(refusalCount).values([
      { day, device: "meter-1", reason: "signature", count: 40 },
      { day, device: "", reason: "signature", count: 6_000 },
      { day, device: "", reason: "unknown_device", count: 6_000 },
    ]);
    const refused = (query = "") => door.get<List<RefusedReading>>(`transparency/refused${query}`);
    expect((await refused()).items.map(({ reason, device, short_id }) => [reason, device, short_id])).toEqual([
      ["gap", "meter-1", "sahel-solar"],
      ["gap", "meter-1", "sahel-solar"],
      ["signature", "meter-1", "sahel-solar"],
    ]);
    expect(await refused("?reason=gap&device=meter-1&page_size=1")).toMatchObject({ total: 2, page_size: 1 });
    const fleet = await door.get<Fleet>("transparency/devices");
    expect(fleet).toMatchObject({
      refused_24h: [
        { reason: "signature", count: 40 },
        { reason: "gap", count: 1 },
      ],
      as_of: { chain_id: CHAIN, stale: false },
      co_signers: ["grid"],
    });
    expect(fleet.by_trust.co_signed).toBe(1);
    expect(fleet.total).toBe(Object.values(fleet.by_status).reduce((sum, count) => sum + (count ?? 0), 0));
    expect(fleet.feeds.find(({ short_id }) => short_id === "sahel-solar")).toMatchObject({
      devices: 1,
      last_reading: THIS_HOUR,
      readings_stale: false,
      batches: 1,
      unanchored: 55,
    });
  });

  it("returns the same as a file in which no spreadsheet runs a formula", async () => {
    const response = await door.inject(`product/sahel-solar/readings?format=csv&from=${NOW - 3 * HOUR}`);
    expect(response.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(response.headers["content-disposition"]).toBe(
      'attachment; filename="aqua-readings-sahel-solar-2026-05-20-2026-05-20.csv"',
    );
    const time = (hours: number) => new Date(THIS_HOUR - hours * HOUR).toISOString();
    expect(response.body).toBe(
      [
        "\ufeffdevice,metric,unit,time,value,min,max,count,good",
        `meter-1,energy,kWh,${time(2)},0.25,273.00,273.00,1,1`,
        `meter-1,energy,kWh,${time(1)},0.25,273.25,273.25,1,1`,
        `meter-1,energy,kWh,${time(0)},0.25,273.50,273.50,1,1`,
        "",
      ].join("\r\n"),
    );
    const days = await door.inject("product/sahel-solar/readings?format=csv&resolution=day&from=0");
    expect(days.body.trim().split("\r\n")).toHaveLength(1 + 335 + 31);
    expect(await door.refusal("product/none/readings?format=csv")).toMatchObject({ error_code: "pool_not_found" });
  });

  afterEach(() => void vi.useRealTimers());

  it.each([
    "transparency/devices",
    "transparency/refused",
    "transparency/devices/meter-1/readings",
    "product/sahel-solar/devices",
    "product/sahel-solar/income",
    "product/summary",
  ])("CachedResponses read %s once in five seconds for any number of requests", async (path) => {
    vi.useFakeTimers({ toFake: ["Date"], now: NOW - (NOW % 5_000) });
    const { db: counted, queries } = counting(db);
    const busy = await openEndpoint(counted, new Map(), { readVersion: async () => "one" });
    queries.length = 0;
    await Promise.all(Array.from({ length: 8 }, () => busy.get(path)));
    const once = queries.length;
    expect(once).toBeGreaterThan(0);
    for (let turn = 0; turn < 3; turn += 1) await busy.get(path);
    expect(queries.length).toBe(once);
    vi.setSystemTime(NOW - (NOW % 5_000) + 5_000);
    await busy.get(path);
    expect(queries.length).toBe(2 * once);
    await busy.close();
  });

  it("counts each device of a fleet that is too large to be read at once, once", async () => {
    const before = await door.get<Fleet>("transparency/devices");
    const columns = sql.raw(
      `chain_id, short_id, metric, exponent, place, latitude, longitude, model, trust, co_signer, min, max, max_step,
        "interval", secret_hash, create_time`,
    );
    await db.orm.execute(sql`
      with added as (
        insert into device (name, ${columns}, retired_time)
        select 'many-' || number, ${columns}, ${NOW} from device, generate_series(1, 2001) number where name = 'meter-1'
        returning id
      )
      insert into device_head (device, seq, hash, time, accepted, repeats, readings)
      select id, 1, '', ${NOW}, ${NOW}, 0, 2 from added`);
    await db.orm.execute(sql`
      insert into reading_bucket (device, span, start, count, bounds, jump, frozen, backwards, sum)
      select id, ${HOUR}, ${THIS_HOUR}, 3, 1, 0, 0, 0, 0 from device where name like 'many-%'`);
    const after = await door.get<Fleet>("transparency/devices?lang=fr-FR");
    expect(after).toMatchObject({
      total: before.total + 2_001,
      by_status: { ...before.by_status, retired: (before.by_status.retired ?? 0) + 2_001 },
      by_trust: { ...before.by_trust, [meter.trust]: (before.by_trust[meter.trust] ?? 0) + 2_001 },
      readings: before.readings + 2 * 2_001,
      accepted_24h: before.accepted_24h + 3 * 2_001,
      flawed_24h: before.flawed_24h.map(({ reason, count }) => ({
        reason,
        count: reason === "bounds" ? count + 2_001 : count,
      })),
      reporting_24h: before.reporting_24h + 2_001,
    });
    const feedOf = ({ feeds }: Fleet) => feeds.find(({ short_id }) => short_id === "sahel-solar");
    expect(feedOf(after)).toEqual({
      ...feedOf(before),
      devices: 2_002,
      last_reading: NOW,
      unanchored: 55 + 2 * 2_001,
      anchor_stale: expect.any(Boolean),
    });
    await db.orm.delete(device).where(like(device.name, "many-%"));
  });

  it("withholds the figures of a device while the audit has an open finding about it", async () => {
    const about = { table: "reading", row: "device 1, number 3", column: "value", expected: "1", found: "2" };
    const before = await devices();
    await readings();
    await createAuditStore(db).find(CHAIN, [{ ...about, device: "meter-1" }], 1);
    const found = await devices();
    expect(found.find(({ name }) => name === "meter-1")).toMatchObject({
      ...{ withheld: true, last: null, last_seen: null, readings: null, availability: null },
      quality: { score: null, reasons: [] },
    });
    expect(found.filter(({ withheld }) => !withheld)).toEqual(before.filter(({ name }) => name !== "meter-1"));
    const refused = { error_code: "figures_withheld", status: 409 };
    for (const path of [
      "product/sahel-solar/readings",
      "product/sahel-solar/readings?device=meter-1&format=csv",
      "product/sahel-solar/income",
      "transparency/devices/meter-1/readings",
    ])
      expect([path, await door.refusal(path)]).toMatchObject([path, refused]);
    await db.orm.update(auditFinding).set({ healed: 2 });
    expect(await devices()).toEqual(before);
    await readings();
  });
});
