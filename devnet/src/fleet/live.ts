import type { Refusal, SignedReading, TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import { DAY_MS, HOUR_MS } from "@aqua/sdk/durations";
import { fromHex, toHex } from "@aqua/sdk/proofs/reading";
import { type DeviceHead, noHead, readingOf } from "./batches.ts";
import type { FleetDevice } from "./devices.ts";
import { figureAt, isOut } from "./figures.ts";
import type { PlannedReading } from "./history.ts";
import { lastKey } from "./keyPlan.ts";
import { signReading } from "./keys.ts";

/** The connection over which devices send signed readings. `send` rejects when the outcome is unknown. */
export interface Uplink {
  send(readings: readonly SignedReading[]): Promise<TelemetryAnswer>;
  close(): Promise<void>;
}

/** A device as the server knew it when the world started. */
export interface LiveDevice {
  device: FleetDevice;
  head: DeviceHead;
  /** Unix milliseconds of its last accepted reading; null before the first. */
  lastTime: number | null;
}

interface Running extends LiveDevice {
  /** Readings not yet accepted, oldest first. */
  waiting: PlannedReading[];
  /** Time of the next measurement, Unix milliseconds. */
  due: number;
  stopped: boolean;
}

const LOOK_EVERY_MS = 1_000;
/** Pause after the server was unreachable or has refused. */
const AGAIN_AFTER_MS = 5_000;
/**
 * Readings that a device stores while the server is unreachable, more than an hour of them. Then it stops measuring.
 */
const MAX_WAITING = 1_000;
/** Readings in one message. */
const MAX_SENT = 400;
/** A device adds readings for the time it was off: one an hour, for a day at most. */
const MADE_GOOD_EVERY = HOUR_MS;
const MADE_GOOD = DAY_MS;

/**
 * The fleet at work: measures, signs and sends as hardware in the field would, and stores readings until they are sent.
 */
export class LiveFleet {
  readonly uplink: Uplink;
  readonly failed: (error: unknown) => void;
  readonly clock: () => number;
  readonly #devices: Running[];
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(
    devices: readonly LiveDevice[],
    { uplink, failed, clock = Date.now }: { uplink: Uplink; failed: (error: unknown) => void; clock?: () => number },
  ) {
    this.uplink = uplink;
    this.failed = failed;
    this.clock = clock;
    const now = clock();
    this.#devices = devices.map((one, index) => ({
      ...one,
      waiting: missed(one, now),
      // Devices send in different seconds. Those that send once an hour do so at their own minute.
      due: nextDue(one.device, now, index),
      stopped: false,
    }));
  }

  /** Last reading of each device that the server has confirmed. */
  get heads(): ReadonlyMap<string, DeviceHead> {
    return new Map(this.#devices.map(({ device, head }) => [device.name, head]));
  }

  start(): void {
    const look = () => {
      let pause = LOOK_EVERY_MS;
      this.#working = this.work().catch((error) => {
        pause = AGAIN_AFTER_MS;
        if (!this.#stopped) this.failed(error);
      });
      this.#working.then(() => {
        if (!this.#stopped) this.#timer = setTimeout(look, pause).unref();
      });
    };
    this.#timer = setTimeout(look, LOOK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#working;
    await this.uplink.close();
  }

  /** Measures every device that is due and sends the stored readings. */
  async work(): Promise<void> {
    const now = this.clock();
    for (const one of this.#devices) measure(one, now);
    const sent: { one: Running; reading: PlannedReading; signed: SignedReading; after: DeviceHead }[] = [];
    for (const one of this.#devices) {
      let head = one.head;
      for (const reading of one.waiting.slice(0, MAX_SENT - sent.length)) {
        const unsigned = readingOf({ device: one.device, head, time: reading.time, value: reading.value });
        const { signed, hash } = await signReading(one.device, lastKey(one.device), unsigned);
        head = { seq: signed.seq, hash: toHex(hash) };
        sent.push({ one, reading, signed, after: head });
      }
    }
    if (sent.length === 0) return;
    const answer = await this.uplink.send(sent.map(({ signed }) => signed));
    const rejected = new Map(answer.rejected.map((rejection) => [rejection.index, rejection]));
    const stuck = new Set<Running>();
    sent.forEach(({ one, reading, after }, index) => {
      const rejection = rejected.get(index);
      if (stuck.has(one)) return;
      if (rejection === undefined) {
        one.head = after;
        one.lastTime = reading.time;
        one.waiting.shift();
        return;
      }
      // Later readings name this one as their predecessor, so the next message signs them again.
      stuck.add(one);
      one.head = headOf(rejection.head) ?? one.head;
      if (rejection.reason === "retired" || rejection.reason === "unknown_device") one.stopped = true;
      // These readings are sent again from the head in the server's answer.
      const again: Refusal[] = ["gap", "chain", "replay", "unchecked"];
      if (one.stopped) one.waiting = [];
      else if (!again.includes(rejection.reason)) one.waiting.shift();
    });
  }
}

function headOf(head: { seq: number; hash: string } | null | undefined): DeviceHead | null {
  if (head === undefined) return null;
  return head === null ? noHead : { seq: head.seq, hash: toHex(fromHex(head.hash)) };
}

function nextDue({ pace }: FleetDevice, now: number, index: number): number {
  return pace < HOUR_MS ? now + ((index * 377) % pace) : Math.ceil(now / HOUR_MS) * HOUR_MS + index * 41_000;
}

function measure(one: Running, now: number): void {
  if (one.stopped || now < one.due || one.waiting.length >= MAX_WAITING) return;
  const { device } = one;
  // After the machine has slept, measuring continues from now: missed values cannot be recovered.
  one.due = one.due + device.pace > now ? one.due + device.pace : now + device.pace;
  if (isOut(device, Math.floor(now / 1_000))) return;
  one.waiting.push({ time: now, value: figureAt(device, now, device.pace / 1_000) });
}

/**
 * Returns how often a device owes a reading when the world starts at `now`: first for the time in which the world was
 * stopped, then for the time from now on. All in milliseconds.
 * @param ran last time at which the world is known to have run; null when it has not run
 */
export function intervalsFrom(
  { device, lastTime }: Pick<LiveDevice, "device" | "lastTime">,
  ran: number | null,
  now: number,
): { since: number; interval: number }[] {
  return [
    { since: Math.min(now, Math.max(lastTime ?? now, ran ?? 0)), interval: MADE_GOOD_EVERY },
    { since: now, interval: device.pace },
  ];
}

/** Returns the readings that a data logger stored while nothing received them: one an hour. */
function missed({ device, lastTime }: LiveDevice, now: number): PlannedReading[] {
  const readings: PlannedReading[] = [];
  const from = Math.max(lastTime ?? now, now - MADE_GOOD);
  const every = MADE_GOOD_EVERY;
  for (let time = Math.ceil((from + 1) / every) * every; time < now; time += every) {
    if (isOut(device, time / 1_000)) continue;
    readings.push({ time, value: figureAt(device, time, every / 1_000) });
  }
  return readings;
}
