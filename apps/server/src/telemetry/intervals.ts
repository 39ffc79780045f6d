import type { DueEvery } from "@aqua/sdk/telemetry/quality";
import { asc } from "drizzle-orm";
import { anyOf } from "../db/anyOf.ts";
import type { Orm } from "../db/database.ts";
import { type device, deviceInterval } from "./schema.ts";

type Enrolled = Pick<typeof device.$inferSelect, "id" | "interval">;

/** Returns the reporting intervals of devices, oldest first: the interval at enrolment and its later changes. */
export async function readIntervals(
  tx: Orm,
  devices: readonly Enrolled[],
): Promise<{ of(device: Enrolled): [DueEvery, ...DueEvery[]] }> {
  const changes = new Map<number, DueEvery[]>(devices.map(({ id }) => [id, []]));
  const rows = await tx
    .select()
    .from(deviceInterval)
    .where(anyOf(deviceInterval.device, changes.keys()))
    .orderBy(asc(deviceInterval.device), asc(deviceInterval.since));
  for (const { device, since, interval } of rows) changes.get(device)?.push({ since, interval });
  return { of: ({ id, interval }) => [{ since: null, interval }, ...(changes.get(id) ?? [])] };
}

/** Sets the interval from `since` on, until the next interval that is already set. */
export async function upsertInterval(
  tx: Orm,
  { device, since, interval }: { device: number; since: number; interval: number },
): Promise<void> {
  await tx
    .insert(deviceInterval)
    .values({ device, since, interval })
    .onConflictDoUpdate({ target: [deviceInterval.device, deviceInterval.since], set: { interval } });
}
