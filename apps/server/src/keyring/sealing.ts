import { and, eq, isNull } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import { isAnySealed, lockSealed, type SealedColumn, type SealedValue, updateSealed } from "../db/sealed.ts";
import type { Feature } from "../feature.ts";
import { RetryLater } from "../jobs/runner.ts";
import { enqueue } from "../jobs/store.ts";
import type { Keys } from "../keys.ts";
import { secretKey } from "./schema.ts";

const KIND = "keys.seal";
const DONE = "nothing is sealed with a former key";
/** Milliseconds for which a process with a replaced key leaves the job to processes that started later. */
const LATER_MS = 5_000;

export interface SealingParts {
  db: Pick<Database, "orm" | "transaction">;
  keys: Keys;
  columns: readonly SealedColumn[];
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

/** The opened content. Null if none of the keys opens it. */
export function tryOpen(keys: Keys, { purpose }: SealedColumn, { sealed, context }: SealedValue): Uint8Array | null {
  try {
    return keys.open(purpose, sealed, context);
  } catch {
    return null;
  }
}

/**
 * Seals with the key in use all values that another key sealed, row by row. The job continues where a stopped process
 * ended.
 */
export function createSealing({ db, keys, columns, log }: SealingParts): Feature {
  const key = keys.id.toString("hex");

  /** Seals the next row. Returns its id and whether its value could be opened, or null if there is no further row. */
  async function sealNext(tx: Orm, column: SealedColumn, after: string | null) {
    const [inUse] = await tx
      .select({ id: secretKey.id })
      .from(secretKey)
      .where(and(eq(secretKey.id, key), isNull(secretKey.sealed)))
      .for("share");
    if (inUse === undefined) throw new RetryLater(LATER_MS);
    const value = await lockSealed(tx, column, { after, keyId: keys.id });
    if (value === null) return null;
    const content = tryOpen(keys, column, value);
    if (content !== null) {
      const sealed = keys.seal(column.purpose, content, value.context);
      await updateSealed(tx, column, { id: value.id, sealed });
    }
    return { id: value.id, opened: content !== null };
  }

  return {
    async start() {
      for (const column of columns) {
        if (await isAnySealed(db.orm, column, { keyId: keys.id })) {
          return enqueue(db.orm, { kind: KIND, payload: {}, dedupeKey: KIND });
        }
      }
      log.info({ key, values: 0 }, DONE);
    },
    jobs: {
      async [KIND](_payload, { signal }) {
        let [values, unopened] = [0, 0];
        for (const column of columns) {
          let after: string | null = null;
          for (;;) {
            signal.throwIfAborted();
            const done = await db.transaction((tx) => sealNext(tx, column, after));
            if (done === null) break;
            after = done.id;
            if (done.opened) values += 1;
            else unopened += 1;
          }
        }
        if (unopened > 0) log.warn({ values, unopened }, "no key of this instance opens some sealed values");
        else log.info({ key, values }, DONE);
      },
    },
  };
}
