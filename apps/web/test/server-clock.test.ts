import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { currentTime } from "../src/i18n/clock.ts";
import { clockDifference, learnServerTime, now } from "../src/server-clock.ts";

const server = Date.UTC(2026, 10, 26, 12);
const header = (time: number) => new Date(time).toUTCString();
const day = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(server);
});
afterEach(() => {
  vi.useRealTimers();
  clockDifference.set(0);
});

it.each([0, 400, -400, 4_000, -4_000])("a device whose clock is %i ms off keeps its own time", (off) => {
  learnServerTime(header(server), { sent: server + off, received: server + off + 300 });
  expect(clockDifference.get()).toBe(0);
});

it.each([-3 * day, -day, -600_000, 600_000, day, 400 * day])(
  "a device whose clock is %i ms off shows the server's time",
  (off) => {
    vi.setSystemTime(server + off);
    learnServerTime(header(server), { sent: server + off - 200, received: server + off });
    expect(Math.abs(now() - server)).toBeLessThan(2_000);
    expect(Math.abs(currentTime() - server)).toBeLessThan(2_000);
    // Once the device's clock is set correctly, it is used as it is.
    vi.setSystemTime(server + 1_000);
    learnServerTime(header(server + 1_000), { sent: server + 900, received: server + 1_000 });
    expect(now()).toBe(server + 1_000);
  },
);

it("a slow answer of a server with the same time, and one without a time, change nothing", () => {
  learnServerTime(header(server + 20_000), { sent: server, received: server + 60_000 });
  learnServerTime(null, { sent: server, received: server });
  learnServerTime("yesterday", { sent: server, received: server });
  expect(now()).toBe(server);
});
