import type { Device, ReadingSeries } from "@aqua/sdk/api/telemetry";
import { beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { startOf } from "../../src/telemetry/read/devices.ts";
import { forEachDatabase } from "../support/databases.ts";
import {
  CHAIN,
  DAY,
  type Door,
  type Enrolled,
  enrol,
  giveKey,
  HOUR,
  indexChain,
  listProduct,
  NOW,
  openDoor,
  record,
} from "./rows.ts";

const THIS_HOUR = NOW - (NOW % HOUR);

forEachDatabase("what devices told", (open) => {
  let db: Database;
  let door: Door;
  let meter: Enrolled;

  beforeAll(async () => {
    db = await open();
    door = await openDoor(db);
    await indexChain(db);
    await listProduct(db, "sahel-solar", { number: 1 });
    await listProduct(db, "lofoten-tidal", { number: 2 });
    await listProduct(db, "empty", { number: 3 });
    // One a day of a year, then one an hour; the last ten minutes ago.
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
    await giveKey(db, "meter-1", 10);
  });

  const devices = (shortId = "sahel-solar") => door.get<Device[]>(`product/${shortId}/devices`);
  const readings = (query = "") => door.get<ReadingSeries>(`product/sahel-solar/readings${query}`);

  it("tells of a device what was enrolled, its key, its newest figure, and how it does", async () => {
    const [found] = await devices();
    expect(found).toMatchObject({
      ...{ name: "meter-1", short_id: "sahel-solar", chain_id: CHAIN, metric: "energy", kind: "register", unit: "kWh" },
      ...{ place: "Well 4", trust: "software_key", min: "0.00", max: "99999.99", interval: HOUR, status: "online" },
      key: { kind: "p256", valid_from: 1_600_000_000, valid_until: null },
      last: { seq: 1_055, time: THIS_HOUR, value: "273.50" },
      ...{ last_seen: THIS_HOUR, readings: 1_055 },
      quality: { score: "1.000000", reasons: [] },
    });
  });

  it("holds a device to its interval from the first of the readings that were brought along at its enrolment", async () => {
    const moved = await enrol(db, "moved-1", "power", { shortId: "lofoten-tidal", createTime: NOW });
    // Two days of hours, of which the device missed every other one of the second day.
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

  it("knows no product and no device that is not there", async () => {
    for (const path of ["product/none/devices", "product/none/readings"])
      expect(await door.refusal(path)).toMatchObject({ status: 404, error_code: "pool_not_found" });
    for (const path of ["product/sahel-solar/readings?device=nobody", "transparency/devices/nobody/readings"])
      expect(await door.refusal(path)).toMatchObject({ status: 404, error_code: "not_found" });
    expect(await devices("empty")).toEqual([]);
    expect(await door.get<ReadingSeries>("product/empty/readings")).toMatchObject({ devices: [] });
  });

  it("takes the finest resolution that gives at most 800 points", async () => {
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
});
