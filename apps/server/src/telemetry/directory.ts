import type { Metric } from "@aqua/sdk/telemetry/metrics";
import { anyOf } from "../db/anyOf.ts";
import type { Orm } from "../db/database.ts";
import type { CheckedDevice } from "./checks.ts";
import { type KeyHistory, readKeys } from "./keys.ts";
import { device } from "./schema.ts";

/** A device at its last lookup. */
export interface KnownDevice extends CheckedDevice {
  id: number;
  name: string;
  chainId: number;
  shortId: string;
  metric: Metric;
  keys: KeyHistory;
}

/**
 * The enrolled devices with their keys, cached in memory. A caller that acts on an entry compares it in the same
 * transaction (`changed`) and reads it again if it has changed. No process therefore needs a timely notification of
 * another's changes.
 */
export interface Directory {
  /** Returns the devices among these names that are enrolled. */
  lookup(names: Iterable<string>): Promise<Map<string, KnownDevice>>;
  /** Returns the names of the devices that differ from these entries. */
  changed(tx: Orm, devices: readonly KnownDevice[], retired: (device: KnownDevice) => boolean): Promise<string[]>;
  forget(names: readonly string[]): void;
}

export function createDirectory(orm: Orm): Directory {
  const known = new Map<string, KnownDevice>();
  /** The names for the next query, and its result. */
  let next: { names: Set<string>; found: Promise<ReadonlyMap<string, KnownDevice>> } | null = null;
  let underWay: Promise<unknown> = Promise.resolve();

  async function read(names: readonly string[]): Promise<ReadonlyMap<string, KnownDevice>> {
    const rows = await orm.select().from(device).where(anyOf(device.name, names));
    const keys = await readKeys(orm, rows);
    const found = new Map<string, KnownDevice>();
    for (const row of rows) {
      const { id, name, chainId, shortId, metric, exponent, min, max, maxStep, interval, coSigner, retiredTime } = row;
      const history = keys.get(name) ?? { changes: [], print: "" };
      found.set(name, {
        id,
        name,
        chainId,
        shortId,
        metric,
        exponent,
        min,
        max,
        maxStep,
        interval,
        coSigner,
        keys: history,
        retired: retiredTime !== null,
      });
    }
    for (const [name, one] of found) known.set(name, one);
    return found;
  }

  /**
   * Runs one query at a time. Requests that arrive meanwhile share the next query, so that a flood of readings does
   * not cause one query each.
   */
  function readTogether(names: readonly string[]): Promise<ReadonlyMap<string, KnownDevice>> {
    if (next === null) {
      const batchNames = new Set<string>();
      const found = underWay.then(() => {
        next = null;
        return read([...batchNames]);
      });
      next = { names: batchNames, found };
      underWay = found.catch(() => {});
    }
    for (const name of names) next.names.add(name);
    return next.found;
  }

  return {
    async lookup(names) {
      const wanted = new Set(names);
      const missing = [...wanted].filter((name) => !known.has(name));
      // Uses the result of this call's own lookup, because the cache may drop entries before this line runs.
      const found = missing.length > 0 ? await readTogether(missing) : new Map<string, KnownDevice>();
      const all = new Map<string, KnownDevice>();
      for (const name of wanted) {
        const one = found.get(name) ?? known.get(name);
        if (one) all.set(name, one);
      }
      return all;
    },
    async changed(tx, devices, retired) {
      const keys = await readKeys(tx, devices);
      return devices
        .filter((one) => keys.get(one.name)?.print !== one.keys.print || retired(one) !== one.retired)
        .map(({ name }) => name);
    },
    forget(names) {
      for (const name of names) known.delete(name);
    },
  };
}
