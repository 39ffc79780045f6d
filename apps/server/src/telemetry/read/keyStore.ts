import type { DeviceKey } from "@aqua/sdk/api/telemetry";
import { nameHex } from "@aqua/sdk/proofs/reading";
import { and, asc, eq, inArray } from "drizzle-orm";
import type { Orm } from "../../db/database.ts";
import { deviceKey } from "../../indexer/schema.ts";
import { groupedBy } from "./group.ts";

type KeyEvent = typeof deviceKey.$inferSelect;

/** The keys that some devices hold at `now` (Unix seconds), by the device's name; one without a key has no entry. */
export async function keysAt(
  tx: Orm,
  chainId: number,
  names: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, DeviceKey>> {
  const events = await tx
    .select()
    .from(deviceKey)
    .where(and(eq(deviceKey.chainId, chainId), inArray(deviceKey.device, names.map(nameHex))))
    .orderBy(asc(deviceKey.block), asc(deviceKey.logIndex));
  const byDevice = groupedBy(events, ({ device }) => device);
  const held = names.flatMap((name) => {
    const key = keyHeld(byDevice.get(nameHex(name)) ?? [], now);
    return key ? [[name, key] as const] : [];
  });
  return new Map(held);
}

/** The key a device holds at `now`, from all that happened to its keys, oldest first. */
export function keyHeld(events: readonly KeyEvent[], now: number): DeviceKey | null {
  const steps: KeyEvent[] = [];
  for (const event of events) {
    if (event.what !== "dropped") steps.push(event);
    // Only the last one can be dropped: it had not begun.
    else if (steps.at(-1)?.validFrom === event.validFrom) steps.pop();
  }
  const index = steps.findLastIndex(({ validFrom }) => validFrom <= now);
  const [held, next] = [steps[index], steps[index + 1]];
  if (!held || held.what === "revoked" || held.x === null || held.y === null) return null;
  return {
    kind: held.kind === 1 ? "p256" : "secp256k1",
    ...{ x: held.x, y: held.y },
    valid_from: held.validFrom,
    valid_until: next ? next.validFrom - 1 : null,
  };
}
