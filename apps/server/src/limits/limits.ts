import { lte, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Keys } from "../keys.ts";
import { limitUse } from "./schema.ts";

/** At most `most` uses within any `windowMs`, to a sixth of the window. */
export interface LimitRule {
  /** Stands before the key in the table: another rule, another count. */
  name: string;
  most: number;
  windowMs: number;
}

/** Whom a rule bounds: an e-mail, an IP address, an account's id. Stored as a keyed hash only. */
export interface LimitedUse {
  rule: LimitRule;
  whom: string;
}

const SLICES = 6;

export interface Limits {
  /**
   * Counts one use of each, or refuses all of them when one is used up. Counted before the work it bounds and outside its
   * transaction: a failed try counts too, and of many at once no more get through than the rule says.
   * @throws ApiError too_many_requests, with the seconds to wait
   */
  spend(uses: readonly LimitedUse[]): Promise<void>;
  /** Forgets the uses of a rule, as after a right password. */
  clear(use: LimitedUse): Promise<void>;
  /** Removes what counts for nothing any more. */
  sweep(): Promise<void>;
}

/** Bounds that hold across restarts and across the processes of an instance. */
export function createLimits(db: { orm: Orm }, keys: Keys, now: () => number = Date.now): Limits {
  const keyOf = ({ rule, whom }: LimitedUse) => `${rule.name}:${keys.hash("limit", whom)}`;
  return {
    async spend(uses) {
      const time = now();
      let wait = 0;
      for (const use of uses) {
        const { most, windowMs } = use.rule;
        const width = windowMs / SLICES;
        const slice = Math.floor(time / width) * width;
        const key = keyOf(use);
        // Counting first makes two requests at the same instant see each other.
        await db.orm
          .insert(limitUse)
          .values({ key, slice, uses: 1, expires: slice + windowMs + width })
          .onConflictDoUpdate({
            target: [limitUse.key, limitUse.slice],
            set: { uses: sql`least(${limitUse.uses} + 1, 1000000)` },
          });
        const { rows } = await db.orm.execute<{ uses: string; oldest: string }>(
          sql`select sum(uses) as uses, min(slice) as oldest from limit_use where key = ${key} and slice > ${slice - windowMs}`,
        );
        const counted = rows[0];
        if (counted !== undefined && Number(counted.uses) > most) {
          wait = Math.max(wait, Number(counted.oldest) + windowMs - time);
        }
      }
      if (wait > 0) throw usedUp(wait);
    },
    async clear(use) {
      await db.orm.delete(limitUse).where(sql`${limitUse.key} = ${keyOf(use)}`);
    },
    async sweep() {
      await db.orm.delete(limitUse).where(lte(limitUse.expires, now()));
    },
  };
}

function usedUp(waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const text = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return new ApiError("too_many_requests", `Too many tries; try again in ${text}`, undefined, seconds);
}
