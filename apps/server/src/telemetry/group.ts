import { deviceName } from "@aqua/sdk/api/telemetry";
import type { Database, Orm } from "../db/database.ts";
import { bucketsOf } from "./buckets.ts";
import { type Candidate, checkRun, type Head, type Outcome, refusedUnsigned } from "./checks.ts";
import type { KnownDevice } from "./directory.ts";
import { type FormedReading, readForm } from "./form.ts";
import { keepRefused, payloadOf, type RefusedRow } from "./refused.ts";
import { signaturesOf } from "./signature.ts";
import { addToBuckets, hashesOf, insertReadings, moveHeads, type NewReading, newReading } from "./store.ts";
import { lockDevices, type WriteParts, whileThingsMove } from "./write.ts";

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
  /** Its signatures, checked against the keys with that print; null before. */
  checked: ({ print: string } & Pick<Candidate, "signed" | "coSigned">) | null;
}

/** An accepted reading that counts, for those who watch. */
export interface GoodReading {
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
  good: GoodReading[];
}

/** @param line the device whose own line it came by; null where several share one */
export function itemOf(sent: unknown, via: Item["via"], received: number, line: string | null): Item {
  let formed = readForm(sent);
  if (typeof formed !== "string" && line !== null && formed.device !== line) {
    formed = "device: Another one than the one that sent it";
  }
  if (typeof formed !== "string") return { formed, payload: null, device: formed.device, received, via, checked: null };
  const claimed = deviceName.safeParse((sent as { device?: unknown } | null)?.device);
  const device = line ?? (claimed.success ? claimed.data : null);
  return { formed, payload: payloadOf(sent), device, received, via, checked: null };
}

export interface GroupParts extends WriteParts {
  db: Pick<Database, "transaction">;
}

export function createGroups(parts: GroupParts) {
  const { directory } = parts;

  /** Looks at the signatures that have not been looked at with the keys the devices have now. */
  async function checkSignatures(items: readonly Item[]): Promise<Map<string, KnownDevice>> {
    const devices = await directory.lookup(items.flatMap(({ device }) => (device === null ? [] : [device])));
    await Promise.all(
      items.map(async (item) => {
        const { formed, received, checked } = item;
        if (typeof formed === "string") return;
        const known = devices.get(formed.device);
        if (known === undefined || checked?.print === known.keys.print) return;
        const pointless = refusedUnsigned(known, known.keys, { reading: formed, received }) !== null;
        const signatures = pointless ? { signed: false, coSigned: false } : await signaturesOf(known, formed);
        item.checked = { print: known.keys.print, ...signatures };
      }),
    );
    return devices;
  }

  async function settle(tx: Orm, items: readonly Item[], devices: ReadonlyMap<string, KnownDevice>, now: number) {
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
      const { signed = false, coSigned = false } = checked ?? {};
      run.candidates.push({ reading: formed, received, signed, coSigned });
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
    const good: GoodReading[] = [];
    const movedHeads: { device: number; head: Head; accepted: number }[] = [];
    const buckets = [];
    for (const [known, { places, candidates }] of [...runs].sort(([a], [b]) => a.id - b.id)) {
      const { id, shortId, exponent } = known;
      const checked = checkRun(known, known.keys, heads.of(id), used.get(id) ?? new Map(), candidates);
      const ofDevice: NewReading[] = [];
      checked.outcomes.forEach((outcome, index) => {
        outcomes[places[index] as number] = outcome;
        if (outcome.as !== "accepted") return;
        const { reading } = candidates[index] as Candidate;
        const { device, seq, time, value } = reading;
        ofDevice.push(newReading(id, reading, now, outcome.flaw));
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
      whileThingsMove(parts, async () => {
        const devices = await checkSignatures(items);
        await parts.partitions.ensure(
          items.flatMap(({ formed, checked }) =>
            typeof formed !== "string" && checked?.signed && checked.coSigned ? [formed.time] : [],
          ),
        );
        return parts.db.transaction((tx) => settle(tx, items, devices, Date.now()));
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
    return [{ received, device, enrolled, reason, message, via, payload: payload ?? payloadOf(sentOf(formed)) }];
  });
}

/** A reading as it came. */
function sentOf(formed: FormedReading | string) {
  if (typeof formed === "string") return formed;
  const { encoding, hash, value, ...sent } = formed;
  return { ...sent, value: value.toString() };
}
