import type { Orm } from "../db/database.ts";
import { sqlState } from "../db/database.ts";
import type { Head } from "./checks.ts";
import type { Directory, KnownDevice } from "./directory.ts";
import type { Partitions } from "./partitions.ts";
import { lockHeads } from "./store.ts";

/** Caches that a write relies on, filled before it begins. */
export interface WriteParts {
  directory: Directory;
  partitions: Partitions;
}

/** The devices or their keys differ from the cached ones. Nothing was written. */
class MovedOn extends Error {
  override name = "MovedOn";
  constructor(readonly names: readonly string[]) {
    super("devices have changed");
  }
}

/** Attempts of a write whose devices or partitions change meanwhile. */
const TRIES = 5;
const NO_PARTITION = "23514";

/** Runs `write` again from its beginning when a cached device or partition turns out to be outdated. */
export async function withConcurrentChanges<T>(
  { directory, partitions }: WriteParts,
  write: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (attempt === TRIES) throw error;
      if (error instanceof MovedOn) directory.forget(error.names);
      // Another process has dropped the month of a reading.
      else if (sqlState(error) === NO_PARTITION) partitions.forget();
      else throw error;
    }
  }
}

/**
 * Locks the heads of these devices until the commit and returns them. Throws `MovedOn` when a device or key differs
 * from the cached one, so call it inside `withConcurrentChanges` only.
 */
export async function lockDevices(
  tx: Orm,
  directory: Directory,
  devices: readonly KnownDevice[],
): Promise<{ of(id: number): Head }> {
  const heads = await lockHeads(
    tx,
    devices.map(({ id }) => id),
  );
  const moved = await directory.changed(tx, devices, ({ id }) => heads.get(id)?.retired ?? true);
  if (moved.length > 0) throw new MovedOn(moved);
  return {
    of(id) {
      const head = heads.get(id);
      if (head === undefined) throw new Error(`device ${id} has no head`);
      return head;
    },
  };
}
