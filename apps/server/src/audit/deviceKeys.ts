import { setImmediate } from "node:timers/promises";
import { type HexText, nameHex, noReading } from "@aqua/sdk/proofs/reading";
import { isSignature } from "@aqua/sdk/proofs/signatures";
import { clockLead } from "@aqua/sdk/proofs/steps";
import { and, asc, eq } from "drizzle-orm";
import { anyOf } from "../db/anyOf.ts";
import type { Orm } from "../db/database.ts";
import { deviceKey } from "../indexer/schema.ts";

type KeyRow = typeof deviceKey.$inferSelect;

/** The keys that the chain holds for devices and co-signers. */
export interface ChainKeys {
  /** Whether a key of that name, valid at the reading's time (Unix milliseconds), made the signature. */
  signed(name: string, reading: { time: number; encoding: Uint8Array; signature: Uint8Array }): Promise<boolean>;
}

/** A name as on chain. No chain has a name that somebody made too long or empty. */
export function wordOf(name: string): HexText {
  try {
    return nameHex(name);
  } catch (error) {
    if (error instanceof RangeError) return noReading;
    throw error;
  }
}

/** Reads the keys of these names. */
export async function chainKeys(tx: Orm, chainId: number, names: readonly string[]): Promise<ChainKeys> {
  const rows = await tx
    .select()
    .from(deviceKey)
    .where(and(eq(deviceKey.chainId, chainId), anyOf(deviceKey.device, [...new Set(names)].map(wordOf))))
    .orderBy(asc(deviceKey.block), asc(deviceKey.logIndex));
  const histories = new Map<string, KeyRow[]>();
  for (const row of rows) {
    const history = histories.get(row.device) ?? [];
    histories.set(row.device, history);
    // Only the newest change can be dropped, and only before it takes effect.
    if (row.what === "dropped") history.pop();
    else history.push(row);
  }
  return {
    async signed(name, { time, encoding, signature }) {
      const history = histories.get(wordOf(name)) ?? [];
      for (const { kind, x, y } of validAround(history, Math.floor(time / 1_000))) {
        // Recovering a secp256k1 key takes the main thread for a millisecond or two.
        await setImmediate();
        const key = { kind: kind === 1 ? "p256" : "secp256k1", x: x ?? noReading, y: y ?? noReading } as const;
        if (await isSignature(key, encoding, signature)) return true;
      }
      return false;
    },
  };
}

/**
 * The keys that were valid in this second or became invalid within `clockLead` before it. A device's clock may run
 * ahead by as much, so the server can have accepted the reading before the change was on chain.
 */
function validAround(history: readonly KeyRow[], second: number): KeyRow[] {
  return history.filter(({ what, validFrom }, index) => {
    const end = history[index + 1]?.validFrom ?? Number.POSITIVE_INFINITY;
    return what === "registered" && validFrom <= second && second < end + clockLead;
  });
}
