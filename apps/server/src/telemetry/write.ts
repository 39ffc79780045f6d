import type { Orm } from "../db/database.ts";
import { sqlState } from "../db/database.ts";
import type { Head } from "./checks.ts";
import type { Directory, KnownDevice } from "./directory.ts";
import type { Partitions } from "./partitions.ts";
import { lockHeads } from "./store.ts";

/** What has to be right before readings are written, and is looked up beforehand. */
export interface WriteParts {
  directory: Directory;
  partitions: Partitions;
}

/** The devices or their keys are others than thought: nothing was written. */
class MovedOn extends Error {
  override name = "MovedOn";
  constructor(readonly names: readonly string[]) {
    super("devices have changed");
  }
}

/** How often a write may find that devices or partitions have changed under it. */
const TRIES = 5;
const NO_PARTITION = "23514";

/** Runs `write` again from its beginning when what it had looked up is not so any more. */
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
      // Another process has dropped a month that was thought to be there.
      else if (sqlState(error) === NO_PARTITION) partitions.forget();
      else throw error;
    }
  }
}

/**
 * How far these devices have come. Nobody else moves them until the commit, and they and their keys are as they were
 * looked up: inside `withConcurrentChanges` only.
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
