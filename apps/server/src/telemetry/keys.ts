import type { DeviceKey } from "@aqua/sdk/api/telemetry";
import { type HexText, nameHex, noReading } from "@aqua/sdk/proofs/reading";
import { and, asc, inArray } from "drizzle-orm";
import { anyOf } from "../db/anyOf.ts";
import type { Orm } from "../db/database.ts";
import { deviceKey } from "../indexer/schema.ts";

/**
 * Valid from `validFrom` (Unix seconds) until the next change. If the kind is null, the device has no key from then
 * on.
 */
interface KeyChange {
  kind: DeviceKey["kind"] | null;
  x: HexText;
  y: HexText;
  validFrom: number;
}

/** All keys of a device on chain, in order of time. */
export interface KeyHistory {
  changes: readonly KeyChange[];
  /** The keys of the device's co-signer, if it has one. */
  coSigner?: KeyHistory;
  /** Changes whenever any key changes. */
  print: string;
}

type KeyRow = Pick<typeof deviceKey.$inferSelect, "what" | "kind" | "x" | "y" | "validFrom">;

/** @param rows the events of one device's keys, in chain order */
export function keyHistory(rows: readonly KeyRow[]): KeyHistory {
  const changes: KeyChange[] = [];
  for (const { what, kind, x, y, validFrom } of rows) {
    // The contract drops only the last key, and only before it is valid.
    if (what === "dropped") changes.pop();
    else {
      const named = what === "revoked" ? null : kind === 1 ? "p256" : "secp256k1";
      changes.push({ kind: named, x: x ?? noReading, y: y ?? noReading, validFrom });
    }
  }
  return { changes, print: changes.map((one) => Object.values(one).join()).join(";") };
}

/**
 * Returns the key with which a device signs at `seconds` (Unix time), as the contract's `keyAt` does. Returns null if
 * it has none then.
 */
export function keyAt({ changes }: KeyHistory, seconds: number): DeviceKey | null {
  const index = changes.findLastIndex(({ validFrom }) => validFrom <= seconds);
  const change = changes[index];
  if (change === undefined || change.kind === null) return null;
  const { kind, x, y, validFrom } = change;
  const next = changes[index + 1];
  return { kind, x, y, valid_from: validFrom, valid_until: next === undefined ? null : next.validFrom - 1 };
}

/**
 * Returns the keys of devices and of their co-signers, by device name. A name that is unknown to the chain has an
 * empty history.
 */
export async function readKeys(
  orm: Orm,
  devices: readonly { name: string; chainId: number; coSigner?: string | null }[],
): Promise<Map<string, KeyHistory>> {
  if (devices.length === 0) return new Map();
  const rows = await orm
    .select()
    .from(deviceKey)
    .where(
      and(
        inArray(deviceKey.chainId, [...new Set(devices.map(({ chainId }) => chainId))]),
        anyOf(
          deviceKey.device,
          devices.flatMap(({ name, coSigner }) => [nameHex(name), ...(coSigner ? [nameHex(coSigner)] : [])]),
        ),
      ),
    )
    .orderBy(asc(deviceKey.block), asc(deviceKey.logIndex));
  const of = new Map<string, typeof rows>();
  for (const row of rows) {
    const place = `${row.chainId}:${row.device}`;
    const known = of.get(place);
    if (known) known.push(row);
    else of.set(place, [row]);
  }
  const keysOf = (chainId: number, name: string) => keyHistory(of.get(`${chainId}:${nameHex(name)}`) ?? []);
  return new Map(
    devices.map(({ name, chainId, coSigner: co }) => {
      const [own, coSigner] = [keysOf(chainId, name), co ? keysOf(chainId, co) : null];
      return [name, coSigner ? { ...own, coSigner, print: `${own.print} ${coSigner.print}` } : own];
    }),
  );
}
