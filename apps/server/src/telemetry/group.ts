import { deviceName } from "@aqua/sdk/api/telemetry";
import type { Database, Orm } from "../db/database.ts";
import { bucketsOf } from "./buckets.ts";
import { type Candidate, checkRun, type Head, type Outcome, refusedUnsigned } from "./checks.ts";
import type { KnownDevice } from "./directory.ts";
import { type FormedReading, readForm } from "./form.ts";
import { keyAt } from "./keys.ts";
import { keepRefused, payloadOf, type RefusedRow } from "./refused.ts";
import { signaturesOf } from "./signature.ts";
import { addToBuckets, hashesOf, insertReadings, moveHeads, type NewReading, newReading } from "./store.ts";
import { lockDevices, type WriteParts, withConcurrentChanges } from "./write.ts";

/** One reading in the ingest. */
export interface Item {
  /** Message shown if the value is not a reading. */
  formed: FormedReading | string;
  /** The received content, if it is not a reading. */
  payload: string | null;
  /** The device that the reading claims to be from, if that can be read. */
  device: string | null;
  received: number;
  via: "http" | "mqtt";
  /** Identifies the delivery. All readings that were sent together share it. */
  delivery: symbol;
  /** Result of the signature check with the keys of that `print`. Null before the check. */
  checked: ({ print: string } & Pick<Candidate, "signed" | "coSigned" | "unchecked">) | null;
}

/** An accepted reading that counts, for subscribers. */
export interface ValidReading {
  shortId: string;
  device: string;
  seq: number;
  time: number;
  value: bigint;
  exponent: number;
}

export interface Settled {
  /** In the order of the items. */
  outcomes: Outcome[];
  good: ValidReading[];
}

/** @param line the device whose own connection delivered it; null if several devices share the connection */
export function itemOf(sent: unknown, from: Pick<Item, "via" | "received" | "delivery">, line: string | null): Item {
  let formed = readForm(sent);
  if (typeof formed !== "string" && line !== null && formed.device !== line) {
    formed = "device: Another one than the one that sent it";
  }
  if (typeof formed !== "string") return { ...from, formed, payload: null, device: formed.device, checked: null };
  const claimed = deviceName.safeParse((sent as { device?: unknown } | null)?.device);
  const device = line ?? (claimed.success ? claimed.data : null);
  return { ...from, formed, payload: payloadOf(sent), device, checked: null };
}

export interface GroupParts extends WriteParts {
  db: Pick<Database, "transaction">;
  /** Function that checks signatures. Tests replace it. */
  signatures?: typeof signaturesOf;
}

/** Maximum number of wrong signatures of one device and of a whole delivery. Above it, the rest is not checked. */
const MAX_WRONG_OF_DEVICE = 3;
const MAX_WRONG = 10;
/** Number of signatures of one delivery that are checked at once. */
const MAX_CONCURRENT = 32;

export function createGroups(parts: GroupParts) {
  const { directory, signatures = signaturesOf } = parts;

  /**
   * The signer is unknown before the check. A delivery of forged readings is therefore rejected after a few of them.
   */
  async function checkDelivery(items: readonly Item[], devices: ReadonlyMap<string, KnownDevice>): Promise<void> {
    const wrong = new Map<string, number>();
    let allWrong = 0;
    let underWay: Promise<void>[] = [];
    for (const item of items) {
      const { formed, received, checked } = item;
      if (typeof formed === "string") continue;
      const known = devices.get(formed.device);
      if (known === undefined || checked?.print === known.keys.print) continue;
      const { keys, name } = known;
      const unsigned = { print: keys.print, signed: false, coSigned: false };
      if (refusedUnsigned(known, keys, { reading: formed, received }) !== null) item.checked = unsigned;
      else if (allWrong >= MAX_WRONG || (wrong.get(name) ?? 0) >= MAX_WRONG_OF_DEVICE) {
        item.checked = { ...unsigned, unchecked: true };
      } else {
        const work = signatures(known, formed).then((found) => {
          item.checked = { print: keys.print, ...found };
          if (found.signed && found.coSigned) return;
          allWrong += 1;
          wrong.set(name, (wrong.get(name) ?? 0) + 1);
        });
        underWay.push(work);
        // Keys whose check uses the main thread are checked one at a time, so that no unnecessary check runs.
        const costly = keyAt(keys, Math.floor(formed.time / 1_000))?.kind === "secp256k1";
        if (costly || underWay.length >= MAX_CONCURRENT) {
          await Promise.all(underWay);
          underWay = [];
        }
      }
    }
    await Promise.all(underWay);
  }

  /** Checks the signatures that have not been checked with the devices' current keys. */
  async function checkSignatures(items: readonly Item[]): Promise<Map<string, KnownDevice>> {
    const devices = await directory.lookup(items.flatMap(({ device }) => (device === null ? [] : [device])));
    const deliveries = new Map<symbol, Item[]>();
    for (const item of items) {
      const others = deliveries.get(item.delivery);
      if (others) others.push(item);
      else deliveries.set(item.delivery, [item]);
    }
    await Promise.all([...deliveries.values()].map((delivery) => checkDelivery(delivery, devices)));
    return devices;
  }

  async function settle(
    tx: Orm,
    { items, devices, now }: { items: readonly Item[]; devices: ReadonlyMap<string, KnownDevice>; now: number },
  ) {
    const heads = await lockDevices(tx, directory, [...devices.values()]);
    const runs = new Map<KnownDevice, { places: number[]; candidates: Candidate[] }>();
    const outcomes: Outcome[] = items.map(({ formed }, place): Outcome => {
      if (typeof formed === "string") return { as: "refused", reason: "malformed", message: formed };
      const known = devices.get(formed.device);
      if (known === undefined) {
        return { as: "refused", reason: "unknown_device", message: "No device of this name is enrolled" };
      }
      const run = runs.get(known) ?? { places: [], candidates: [] };
      runs.set(known, run);
      run.places.push(place);
      const { received, checked } = items[place] as Item;
      const { signed = false, coSigned = false, unchecked = false } = checked ?? {};
      run.candidates.push({ reading: formed, received, signed, coSigned, unchecked });
      // Filled in below.
      return { as: "duplicate" };
    });

    const repeated = [...runs].flatMap(([{ id }, { candidates }]) =>
      candidates
        .filter(({ reading, signed, coSigned }) => signed && coSigned && reading.seq <= heads.of(id).seq)
        .map(({ reading }) => ({ device: id, seq: reading.seq })),
    );
    const used = await hashesOf(tx, repeated);
    const accepted: NewReading[] = [];
    const good: ValidReading[] = [];
    const movedHeads: { device: number; head: Head; accepted: number }[] = [];
    const buckets = [];
    for (const [known, { places, candidates }] of [...runs].sort(([a], [b]) => a.id - b.id)) {
      const { id, shortId, exponent } = known;
      const checked = checkRun({
        device: known,
        keys: known.keys,
        before: heads.of(id),
        used: used.get(id) ?? new Map(),
        candidates,
      });
      const ofDevice: NewReading[] = [];
      checked.outcomes.forEach((outcome, index) => {
        outcomes[places[index] as number] = outcome;
        if (outcome.as !== "accepted") return;
        const { reading } = candidates[index] as Candidate;
        const { device, seq, time, value } = reading;
        ofDevice.push(newReading({ device: id, from: reading, accepted: now, flaw: outcome.flaw }));
        if (outcome.flaw === null) good.push({ shortId, device, seq, time, value, exponent });
      });
      if (ofDevice.length === 0) continue;
      movedHeads.push({ device: id, head: checked.head, accepted: now });
      accepted.push(...ofDevice);
      buckets.push(...bucketsOf(id, ofDevice));
    }
    await insertReadings(tx, accepted);
    await addToBuckets(tx, buckets);
    await moveHeads(tx, movedHeads);
    await keepRefused(tx, refusedRows(items, outcomes, devices), now);
    return { outcomes, good };
  }

  return {
    checkSignatures,
    /** Checks and stores readings in the given order. When it resolves, they are stored durably. */
    commit: (items: readonly Item[]): Promise<Settled> =>
      withConcurrentChanges(parts, async () => {
        const devices = await checkSignatures(items);
        await parts.partitions.ensure(
          items.flatMap(({ formed, checked }) =>
            typeof formed !== "string" && checked?.signed && checked.coSigned ? [formed.time] : [],
          ),
        );
        return parts.db.transaction((tx) => settle(tx, { items, devices, now: Date.now() }));
      }),
  };
}

function refusedRows(
  items: readonly Item[],
  outcomes: readonly Outcome[],
  devices: ReadonlyMap<string, KnownDevice>,
): RefusedRow[] {
  return items.flatMap(({ formed, payload, device, received, via }, index) => {
    const outcome = outcomes[index];
    if (outcome?.as !== "refused") return [];
    const { reason, message } = outcome;
    const enrolled = device !== null && devices.has(device);
    return [{ received, device, enrolled, reason, message, via, payload: () => payload ?? payloadOf(sentOf(formed)) }];
  });
}

/** Returns a reading in its received form. */
function sentOf(formed: FormedReading | string) {
  if (typeof formed === "string") return formed;
  const { device, seq, time, metric, value, exponent, prev, signature, co_signature } = formed;
  return { device, seq, time, metric, value: value.toString(), exponent, prev, signature, co_signature };
}
