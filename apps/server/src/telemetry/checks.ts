import type { Refusal } from "@aqua/sdk/api/telemetry";
import type { HexText } from "@aqua/sdk/proofs/reading";
import { clockLead } from "@aqua/sdk/proofs/steps";
import { type Metric, metrics } from "@aqua/sdk/telemetry/metrics";
import type { ValidationIssue } from "@aqua/sdk/telemetry/quality";
import type { FormedReading } from "./form.ts";
import { type KeyHistory, keyAt } from "./keys.ts";

/** The fields of a device that its readings are checked against. */
export interface CheckedDevice {
  metric: Metric;
  exponent: number;
  /** In units of the exponent. */
  min: bigint;
  max: bigint;
  maxStep: bigint | null;
  /** The co-signer of its readings. Null if there is none. */
  coSigner: string | null;
  /** Milliseconds. */
  interval: number;
  retired: boolean;
}

/** The device's latest accepted state. */
export interface Head {
  /** 0 before the first reading. */
  seq: number;
  hash: HexText;
  time: number;
  /** Its last reading that counts. Null before the first one. */
  good: { seq: number; time: number; value: bigint } | null;
  /** Number of consecutive readings with the value of `good`. */
  repeats: number;
  readings: number;
  /** True if readings after it were declared lost, so that the next one need not name it. */
  rejoins: boolean;
}

/**
 * A reading to check. `received` is in Unix milliseconds. `signed` means that the key of the device at that time
 * signed it. `coSigned` means that the co-signer's key signed it too, or that the device has no co-signer and nobody
 * else signed.
 */
export interface Candidate {
  reading: FormedReading;
  received: number;
  signed: boolean;
  coSigned: boolean;
  /** True if its signatures were not checked, because too many other signatures of the delivery were wrong. */
  unchecked?: boolean;
}

export interface Refused {
  as: "refused";
  reason: Refusal;
  message: string;
  /** The last accepted reading at the time of this refusal. Absent for an unknown device. */
  head?: { seq: number; hash: HexText } | null;
}
export type Outcome = { as: "accepted"; flaw: ValidationIssue | null } | { as: "duplicate" } | Refused;

/** Maximum lead of a device's clock over the server's. The verifier allows the same. */
const AHEAD_MS = clockLead * 1_000;
/** A gauge that has shown one value this many times in a row counts as frozen. */
const FROZEN_AT = 12;

/** Returns the faults of a reading that can be found before its signature is checked. */
export function refusedUnsigned(
  device: CheckedDevice,
  keys: KeyHistory,
  { reading, received }: Pick<Candidate, "reading" | "received">,
): { reason: Refusal; message: string } | null {
  if (device.retired) return { reason: "retired", message: "This device was taken out of service" };
  if (reading.metric !== device.metric || reading.exponent !== device.exponent) {
    const message = `This device was enrolled for ${device.metric} with the exponent ${device.exponent}`;
    return { reason: "metric", message };
  }
  if (reading.time > received + AHEAD_MS) {
    const ahead = Math.round((reading.time - received) / 1_000);
    return { reason: "future", message: `Its time is ${ahead} s ahead of the server's clock` };
  }
  if (keyAt(keys, Math.floor(reading.time / 1_000)) === null) {
    return { reason: "no_key", message: "The chain knows no key of this device for that time" };
  }
  return null;
}

/** Returns the reason, in words, for a refusal when `coSigned` is false. */
function coSignatureReason({ coSigner }: CheckedDevice, keys: KeyHistory, { co_signature: co, time }: FormedReading) {
  if (coSigner === null) return "This device was enrolled without a co-signer";
  if (co === undefined) return `The signature of its co-signer, ${coSigner}, is missing`;
  if (co.by !== coSigner) return `The co-signer of this device is ${coSigner}`;
  if (keys.coSigner === undefined || keyAt(keys.coSigner, Math.floor(time / 1_000)) === null) {
    return `The chain knows no key of ${coSigner} for that time`;
  }
  return `This is not the signature of ${coSigner}'s key at that time`;
}

/**
 * Returns the reason why an authentic reading does not count, compared with the device's last good reading. Returns
 * null if it counts.
 */
function flawOf(
  device: CheckedDevice,
  { good, repeats }: Head,
  { value, time }: FormedReading,
): ValidationIssue | null {
  if (value < device.min || value > device.max) return "bounds";
  if (good === null) return null;
  const register = metrics[device.metric].kind === "register";
  if (register && value < good.value) return "backwards";
  if (device.maxStep !== null) {
    const step = value > good.value ? value - good.value : good.value - value;
    // Allows the largest step for each interval that has passed, and proportionally for any part of an interval after
    // the first.
    const passed = BigInt(Math.max(device.interval, time - good.time));
    if (step * BigInt(device.interval) > device.maxStep * passed) return "jump";
  }
  if (!register && value === good.value && repeats + 1 >= FROZEN_AT) return "frozen";
  return null;
}

function after(head: Head, { seq, hash, time, value }: FormedReading, flaw: ValidationIssue | null): Head {
  const next = { ...head, seq, hash, time, readings: head.readings + 1, rejoins: false };
  // Repeats are still counted while the value is frozen. A different value resets the count.
  if (flaw === "frozen") return { ...next, repeats: head.repeats + 1 };
  if (flaw !== null) return next;
  const repeats = head.good?.value === value ? head.repeats + 1 : 1;
  return { ...next, good: { seq, time, value }, repeats };
}

export interface CheckedRun {
  /** In the order of the candidates. */
  outcomes: Outcome[];
  /** State of the device after the last candidate. */
  head: Head;
}

/**
 * Runs every check of docs/operators/telemetry.md on readings of one device, in their order of arrival.
 * @param used hashes of readings accepted before, by number: at least for every number among the candidates
 */
export function checkRun({
  device,
  keys,
  before,
  used,
  candidates,
}: {
  device: CheckedDevice;
  keys: KeyHistory;
  before: Head;
  used: ReadonlyMap<number, HexText>;
  candidates: readonly Candidate[];
}): CheckedRun {
  let head = before;
  const now = new Map<number, HexText>();

  function check(candidate: Candidate): Outcome {
    const { reading } = candidate;
    const refuse = (reason: Refusal, message: string): Refused => ({
      as: "refused",
      reason,
      message,
      head: head.seq === 0 ? null : { seq: head.seq, hash: head.hash },
    });
    const unsigned = refusedUnsigned(device, keys, candidate);
    if (unsigned !== null) return refuse(unsigned.reason, unsigned.message);
    if (candidate.unchecked) {
      return refuse(
        "unchecked",
        "Other signatures of this delivery are wrong, so this one was not looked at: send it again",
      );
    }
    if (!candidate.signed) return refuse("signature", "This is not the signature of the device's key at that time");
    if (!candidate.coSigned) return refuse("co_signature", coSignatureReason(device, keys, reading));
    if (reading.seq <= head.seq) {
      const hash = now.get(reading.seq) ?? used.get(reading.seq);
      if (hash === reading.hash) return { as: "duplicate" };
      return refuse("replay", `Number ${reading.seq} is used or passed over: the next one is ${head.seq + 1}`);
    }
    if (reading.prev !== head.hash && !head.rejoins) {
      if (reading.seq > head.seq + 1) {
        return refuse("gap", `Readings before number ${reading.seq} are missing: send from ${head.seq + 1} on`);
      }
      return refuse("chain", "prev is not the hash of the last accepted reading");
    }
    if (reading.time <= head.time && head.seq > 0) {
      return refuse("time_order", "Its time is not later than that of the device's last reading");
    }
    const flaw = flawOf(device, head, reading);
    head = after(head, reading, flaw);
    now.set(reading.seq, reading.hash);
    return { as: "accepted", flaw };
  }

  return { outcomes: candidates.map(check), head };
}
