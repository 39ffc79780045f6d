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

/** One reading on its way through. */
export interface Item {
  /** Words when it is none. */
  formed: FormedReading | string;
  /** What came, where it is no reading. */
  payload: string | null;
  /** The device it claims to be of, where that is legible. */
  device: string | null;
  received: number;
  via: "http" | "mqtt";
  /** The same for all that were sent together. */
  delivery: symbol;
  /** Its signatures, checked against the keys with that print; null before. */
  checked: ({ print: string } & Pick<Candidate, "signed" | "coSigned" | "unchecked">) | null;
}

/** An accepted reading that counts, for those who watch. */
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

/** @param line the device whose own line it came by; null where several share one */
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
  /** How signatures are checked; in tests another. */
  signatures?: typeof signaturesOf;
}

/** Wrong signatures of one device and of all in a delivery, after which the rest of it is not looked at. */
const MAX_WRONG_OF_DEVICE = 3;
const MAX_WRONG = 10;
/** Signatures of one delivery that are checked at once. */
const MAX_CONCURRENT = 32;

export function createGroups(parts: GroupParts) {
  const { directory, signatures = signaturesOf } = parts;

  /** The signer is not known before the check, so a delivery of forged readings is rejected after a few of them. */
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
        // One at a time where each takes the main thread, so that not one more is checked than need be.
        const costly = keyAt(keys, Math.floor(formed.time / 1_000))?.kind === "secp256k1";
        if (costly || underWay.length >= MAX_CONCURRENT) {
          await Promise.all(underWay);
          underWay = [];
        }
      }
    }
    await Promise.all(underWay);
  }

  /** Looks at the signatures that have not been looked at with the keys the devices have now. */
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
    /** Checks and stores readings in the order given; when this resolves they are stored for good. */
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

/** A reading as it came. */
function sentOf(formed: FormedReading | string) {
  if (typeof formed === "string") return formed;
  const { device, seq, time, metric, value, exponent, prev, signature, co_signature } = formed;
  return { device, seq, time, metric, value: value.toString(), exponent, prev, signature, co_signature };
}
