import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { device, deviceHead } from "../../server/src/telemetry/schema.ts";
import { assignKey, enrol } from "../../server/test/telemetry/rows.ts";
import { type DeviceWorld, openDeviceWorld } from "./support/deviceWorld.ts";

const MINUTE = 60_000;
let world: DeviceWorld;
/** Names of devices, each enrolled with an interval of five minutes, in this order. */
const ages = { fresh: 5_000, slow: 40 * MINUTE, dead: 50 * 60 * MINUTE, silent: null, keyless: 5_000, gone: null };

beforeAll(async () => {
  world = await openDeviceWorld();
  for (const [index, [name, age]] of Object.entries(ages).entries()) {
    const { id } = await enrol(world.db, name, "volume", { interval: 5 * MINUTE });
    if (name !== "keyless") await assignKey(world.db, name, 10 + index);
    const time = Date.now() - (age ?? 0);
    if (age !== null)
      await world.db.orm.update(deviceHead).set({ seq: 5, time, accepted: time }).where(eq(deviceHead.device, id));
  }
  await world.db.orm.update(device).set({ retiredTime: Date.now() }).where(eq(device.name, "gone"));
});
afterAll(() => world?.stop());

it("aqua device health lists devices in service, the quietest by its own interval first, and says that some do not report", async () => {
  const { code, out } = await world.aqua(["device", "health"]);
  expect(code).toBe(1);
  const lines = out.split("\n").map((line) => line.replace(/ {2,}/g, "  "));
  expect(lines[0]).toBe("DEVICE  PRODUCT  STATUS  LAST READING  EVERY  GOOD IN 24 H  LOST BY");
  expect(lines.slice(1, -2).map((line) => line.split("  ").slice(0, 5))).toEqual([
    ["keyless", "sahel-solar", "no key", expect.stringMatching(/^\d+ s ago$/), "5m"],
    ["silent", "sahel-solar", "never", "never", "5m"],
    ["dead", "sahel-solar", "offline", "2 d ago", "5m"],
    ["slow", "sahel-solar", "late", "40 min ago", "5m"],
    ["fresh", "sahel-solar", "online", expect.stringMatching(/^\d+ s ago$/), "5m"],
  ]);
  expect(lines.at(-2)).toBe("4 of 5 do not report");
});

it("aqua device health answers with data, and with success once all devices report", async () => {
  const retired = { retiredTime: Date.now() };
  for (const name of ["keyless", "silent", "dead", "slow"])
    await world.db.orm.update(device).set(retired).where(eq(device.name, name));
  const time = Date.now();
  await world.db.orm.update(deviceHead).set({ time, accepted: time });
  const read = async () => {
    const { code, out } = await world.aqua(["device", "health", "--json"]);
    return { code, devices: JSON.parse(out) };
  };
  // The server answers about devices from its cache for some seconds.
  await expect.poll(async () => (await read()).code, { timeout: 20_000 }).toBe(0);
  expect((await read()).devices).toEqual([
    {
      ...{ name: "fresh", short_id: "sahel-solar", status: "online", last_seen: time, interval: 5 * MINUTE },
      ...{ silent_ms: expect.any(Number), quality: { score: expect.anything(), reasons: expect.any(Array) } },
    },
  ]);
});
