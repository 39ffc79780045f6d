import type { SignedReading, TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import { encodeReading, fromHex, type HexText, noReading, readingHash, toHex } from "@aqua/sdk/proofs/reading";
import { isP256Signature } from "@aqua/sdk/proofs/signatures";
import { type DueEvery, sharesOf } from "@aqua/sdk/telemetry/quality";
import { expect, it } from "vitest";
import { noHead } from "../src/fleet/batches.ts";
import { deviceOf } from "../src/fleet/devices.ts";
import { lastKey } from "../src/fleet/keyPlan.ts";
import { signerFor } from "../src/fleet/keys.ts";
import { intervalsFrom, LiveFleet, type Uplink } from "../src/fleet/live.ts";

const START = Date.UTC(2026, 10, 22, 9, 30);
const HOUR = 3_600_000;
const meter = deviceOf("sahel-meter-north");

function hashOf({ signature: _, value, prev, ...reading }: SignedReading): HexText {
  return toHex(readingHash(encodeReading({ ...reading, value: BigInt(value), prev: toHex(fromHex(prev)) })));
}

/** Accepts readings like the server: one chain per device, and no reading twice. */
class Receiver implements Uplink {
  taken: SignedReading[] = [];
  head: { seq: number; hash: string } | null = null;
  away = false;
  /** Stores the readings but loses the answer. */
  silent = false;

  async send(readings: readonly SignedReading[]): Promise<TelemetryAnswer> {
    if (this.away) throw new Error("away");
    const answer: TelemetryAnswer = { accepted: 0, duplicates: 0, rejected: [], server_time: START };
    readings.forEach((reading, index) => {
      const refuse = (reason: "gap" | "chain" | "replay") =>
        answer.rejected.push({ index, reason, message: "", head: this.head });
      const known = this.taken.find(({ seq }) => seq === reading.seq);
      if (known !== undefined) {
        if (hashOf(known) === hashOf(reading)) answer.duplicates += 1;
        else refuse("replay");
      } else if (reading.seq > (this.head?.seq ?? 0) + 1) refuse("gap");
      else if (reading.prev !== (this.head?.hash ?? noReading)) refuse("chain");
      else {
        this.taken.push(reading);
        this.head = { seq: reading.seq, hash: hashOf(reading) };
        answer.accepted += 1;
      }
    });
    if (this.silent) throw new Error("the answer was lost");
    return answer;
  }

  async close(): Promise<void> {}
}

function fleetOf(receiver: Receiver, lastTime: number | null = null, head = noHead, start = START) {
  let now = start;
  const live = new LiveFleet([{ device: meter, head, lastTime }], {
    uplink: receiver,
    failed: () => {},
    clock: () => now,
  });
  return {
    live,
    /** Measures once a second. */
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        now += 1_000;
        await live.work().catch(() => {});
      }
    },
  };
}

function expectChain(receiver: Receiver): void {
  receiver.taken.forEach((reading, index) => {
    const before = receiver.taken[index - 1];
    expect(reading.seq).toBe(index + 1);
    expect(reading.prev).toBe(before === undefined ? noReading : hashOf(before));
    expect(reading.time).toBeGreaterThan(before?.time ?? 0);
    expect(BigInt(reading.value)).toBeGreaterThanOrEqual(BigInt(before?.value ?? 0));
  });
}

it("LiveFleet measures at its pace, with chained readings signed with the device's current key", async () => {
  const receiver = new Receiver();
  await fleetOf(receiver).pass(120);
  expect(receiver.taken).toHaveLength(13);
  expectChain(receiver);
  const { x, y } = signerFor(meter, lastKey(meter));
  for (const { signature, value, prev, ...reading } of receiver.taken) {
    const encoding = encodeReading({ ...reading, value: BigInt(value), prev: toHex(fromHex(prev)) });
    expect(await isP256Signature({ x: fromHex(x), y: fromHex(y), encoding, signature: fromHex(signature) })).toBe(true);
  }
});

it("LiveFleet stores its readings while the server is down, and sends them once and in order afterwards", async () => {
  const receiver = new Receiver();
  const { pass } = fleetOf(receiver);
  await pass(30);
  receiver.away = true;
  await pass(300);
  expect(receiver.taken).toHaveLength(4);
  receiver.away = false;
  await pass(10);
  expect(receiver.taken).toHaveLength(35);
  expectChain(receiver);
});

it("LiveFleet repeats readings that may not have arrived, and continues if they had", async () => {
  const receiver = new Receiver();
  const { pass } = fleetOf(receiver);
  receiver.silent = true;
  await pass(25);
  receiver.silent = false;
  await pass(25);
  expect(receiver.taken).toHaveLength(6);
  expectChain(receiver);
});

it("LiveFleet continues from the server's last reading, whether the server knows fewer or more", async () => {
  const receiver = new Receiver();
  await fleetOf(receiver).pass(60);
  const forgetful = fleetOf(receiver, null, { seq: 2, hash: hashOf(receiver.taken[1] as SignedReading) });
  await forgetful.pass(100);
  expect(receiver.taken.length).toBeGreaterThan(6);
  const ahead = new Receiver();
  await fleetOf(ahead, null, { seq: 40, hash: `0x${"ab".repeat(32)}` }).pass(60);
  expect(ahead.taken.length).toBeGreaterThan(4);
  expectChain(ahead);
});

it("LiveFleet adds a reading per hour for the last day after a stop of days", async () => {
  const receiver = new Receiver();
  await fleetOf(receiver, START - 5 * 24 * HOUR).pass(2);
  const made = receiver.taken.filter(({ time }) => time <= START);
  expect(made).toHaveLength(24);
  for (const { time } of made) expect(time % HOUR).toBe(0);
  expect(made[0]?.time).toBeGreaterThan(START - 24 * HOUR);
  expectChain(receiver);
});

it("LiveFleet misses no due reading in a world that runs, stops for an hour, and runs again", async () => {
  const receiver = new Receiver();
  const intervals: DueEvery[] = [{ since: null, interval: HOUR }];
  let [ran, start]: [number | null, number] = [null, START];
  for (const stop of [600, 20, 900]) {
    const lastTime = receiver.taken.at(-1)?.time ?? null;
    const due = intervalsFrom({ device: meter, lastTime }, ran, start);
    intervals.push(...due.filter(({ since }) => since > (intervals.at(-1)?.since ?? 0)));
    const { live, pass } = fleetOf(receiver, lastTime, noHead, start);
    await pass(stop);
    await live.stop();
    ran = start + stop * 1_000;
    start = ran + HOUR;
  }
  expectChain(receiver);
  const slots = [0, 1, 2, 3].map((hour) => {
    const from = START - (START % HOUR) + hour * HOUR;
    const count = receiver.taken.filter(({ time }) => time >= from && time < from + HOUR).length;
    return { start: from, end: from + HOUR, count, flawed: { bounds: 0, jump: 0, frozen: 0, backwards: 0 } };
  });
  const shares = sharesOf({ slots, intervals, from: START, to: ran ?? START });
  expect(shares?.lost.get("missing") ?? 0).toBeLessThan(2 / receiver.taken.length);
  // If the devices were silent for as long as they last ran, they would miss as many readings again.
  const later = sharesOf({ slots, intervals, from: START, to: (ran ?? START) + 900_000 });
  expect(later?.lost.get("missing")).toBeGreaterThan(0.3);
});

it("LiveFleet expects for a stop of the world the readings that are added after it, even if nothing was sent before", () => {
  const now = START + 10 * HOUR;
  const silent = { device: meter, lastTime: START - HOUR };
  expect(intervalsFrom(silent, START, now)).toEqual([
    { since: START, interval: HOUR },
    { since: now, interval: 10_000 },
  ]);
  expect(intervalsFrom(silent, null, now)[0]).toEqual({ since: START - HOUR, interval: HOUR });
  expect(intervalsFrom({ ...silent, lastTime: null }, null, now)[0]?.since).toBe(now);
});
