import { hash } from "node:crypto";
import { Readable } from "node:stream";
import type { OperatorDevice } from "@aqua/sdk/api/operator";
import { deviceBody } from "@aqua/sdk/api/telemetry";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { product } from "../../src/indexer/schema.ts";
import { createKeys } from "../../src/keys.ts";
import { publicLogEntry } from "../../src/publicLog/schema.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { createDevices, type Devices } from "../../src/telemetry/devices.ts";
import { device, deviceInterval } from "../../src/telemetry/schema.ts";
import { withDatabase } from "../support/databases.ts";
import { CHAIN } from "./devices.ts";
import { listProduct } from "./rows.ts";

const body = {
  name: "turbine-1",
  short_id: "tide",
  metric: "power",
  exponent: -1,
  place: "Brest",
  latitude: 48.4,
  longitude: -4.5,
  model: "T1",
  trust: "secure_element",
  min: "0",
  max: "2500.5",
  interval: 60_000,
} as const;
const slicesOf = (devices: Devices): Promise<OperatorDevice[][]> => Readable.from(devices.slices()).toArray();
const enrolment = (change: object = {}) => deviceBody.parse({ ...body, ...change });

const listTide = (db: Database) =>
  db.orm.insert(product).values({
    chainId: CHAIN,
    block: 1,
    logIndex: 1,
    time: 1,
    shortId: "tide",
    productType: 0,
    asset: "0xa5",
    address: "0xa6",
    assetSymbol: "tUSD",
    assetDecimals: 6,
    shareName: "Tide",
    shareSymbol: "T",
    shareDecimals: 18,
  });

withDatabase("devices", (open) => {
  it("are listed by name in slices of a thousand, each once", async () => {
    const db = await open();
    await listTide(db);
    const devices = createDevices({ db, chainIds: [CHAIN], writer: undefined as never });
    expect(await slicesOf(devices)).toEqual([]);
    await db.orm.execute(sql`with many as (
      insert into device (name, chain_id, short_id, metric, exponent, min, max, interval, place, latitude, longitude, model, trust, secret_hash, create_time)
      select 'd-' || (n * 7919 % 2500), ${CHAIN}, 'tide', 'power', 0, 0, 9, 60000, 'Brest', 1, 1, 'T1', 'secure_element', '', 0
      from generate_series(1, 2500) n returning id)
      insert into device_head (device, seq, time, hash, accepted, repeats, readings) select id, 0, 0, '', 0, 0, 0 from many`);
    const slices = await slicesOf(devices);
    expect(slices.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
    expect(new Set(slices.flat().map(({ name }) => name)).size).toBe(2_500);
  });

  it("are enrolled once, get a password that the server does not store, and are retired permanently", async () => {
    const db = await open();
    await listTide(db);
    const devices = createDevices({
      db,
      chainIds: [1, CHAIN],
      writer: createLogWriter(createKeys(new Uint8Array(32))),
    });
    await expect(devices.enrol(enrolment({ short_id: "no-such" }))).rejects.toMatchObject({ code: "pool_not_found" });
    const secret = (await devices.enrol(enrolment({ max_step: "10" }))).secret ?? "";
    await expect(devices.enrol(enrolment())).rejects.toMatchObject({ code: "conflict" });
    const line = { name: "turbine-1", chain_id: CHAIN, min: "0.0", max: "2500.5", max_step: "10.0" };
    expect((await slicesOf(devices)).flat()).toMatchObject([{ ...line, retired_at: null, last: null }]);
    expect(await devices.checkSecret("turbine-1", secret)).toBe(true);
    expect(await devices.checkSecret("turbine-1", `${secret} `)).toBe(false);
    expect(await devices.checkSecret("turbine-2", secret)).toBe(false);
    const renewed = await devices.renewSecret("turbine-1");
    expect(await devices.checkSecret("turbine-1", secret)).toBe(false);
    expect(await devices.checkSecret("turbine-1", renewed.secret)).toBe(true);
    const retired = await devices.retire("turbine-1");
    expect(retired.retired_at).not.toBeNull();
    expect(await devices.retire("turbine-1")).toEqual(retired);
    expect(await devices.checkSecret("turbine-1", renewed.secret)).toBe(false);
    const twice = { trust: "co_signed", co_signer: "grid" };
    await devices.enrol(enrolment({ name: "turbine-3", ...twice }));
    expect((await slicesOf(devices)).flat()[1]).toMatchObject({ name: "turbine-3", ...twice });
    for (const both of [{ name: "grid" }, { name: "turbine-4", ...twice, co_signer: "turbine-1" }]) {
      await expect(devices.enrol(enrolment(both))).rejects.toThrow("A co-signer is no device");
    }
    await expect(devices.renewSecret("turbine-1")).rejects.toMatchObject({ code: "conflict" });
    await expect(devices.retire("turbine-2")).rejects.toMatchObject({ code: "not_found" });
  });

  it("cannot be changed while their rows differ from the public log", async () => {
    const db = await open();
    await listProduct(db, "tide", { number: 1 });
    const devices = createDevices({ db, chainIds: [CHAIN], writer: createLogWriter(createKeys(new Uint8Array(32))) });
    await devices.enrol(enrolment());
    await devices.changeInterval("turbine-1", { interval: 10_000 });
    const { since } = (await db.orm.select().from(deviceInterval))[0] as typeof deviceInterval.$inferSelect;
    const entries = await db.orm.select().from(publicLogEntry);
    await db.orm.update(deviceInterval).set({ interval: 20_000 });
    const differs = { code: "record_differs", message: expect.stringContaining("public log") };
    await expect(devices.changeInterval("turbine-1", { interval: 30_000, since })).rejects.toMatchObject(differs);
    await db.orm.update(device).set({ place: "Nantes" });
    await expect(devices.renewSecret("turbine-1")).rejects.toMatchObject(differs);
    await expect(devices.retire("turbine-1")).rejects.toMatchObject(differs);
    await db.orm.execute(sql`truncate device cascade`);
    await expect(devices.enrol(enrolment())).rejects.toMatchObject(differs);
    expect(await db.orm.select().from(publicLogEntry)).toEqual(entries);
  });

  it("are enrolled with a password that the operator made, and by the same call again without a change", async () => {
    const db = await open();
    await listTide(db);
    const devices = createDevices({ db, chainIds: [CHAIN], writer: createLogWriter(createKeys(new Uint8Array(32))) });
    const secret = "k".repeat(43);
    const call = { ...enrolment({ name: "turbine-9" }), secret_hash: hash("sha256", secret) };
    const before = (await db.orm.select().from(publicLogEntry)).length;
    for (let time = 0; time < 2; time += 1)
      expect(await devices.enrol(call)).toEqual({ name: "turbine-9", secret: null });
    expect(await devices.checkSecret("turbine-9", secret)).toBe(true);
    expect((await db.orm.select().from(publicLogEntry)).length).toBe(before + 1);
    for (const other of [{ place: "Rance" }, { secret_hash: hash("sha256", "x") }, { secret_hash: undefined }])
      await expect(devices.enrol({ ...call, ...other })).rejects.toMatchObject({ code: "conflict" });
    await devices.retire("turbine-9");
    await expect(devices.enrol(call)).rejects.toMatchObject({ code: "conflict" });
  });
});
