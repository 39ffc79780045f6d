import { eq, inArray, lte, sql } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Keys } from "../keys.ts";
import { limitUse } from "./schema.ts";

/**
 * At most `most` uses within any `windowMs`; with `slow` further ones pass, ever further apart. Keep what can pass in a
 * window in the hundreds: each use is a number in a row.
 */
export interface LimitRule {
  /** Prefix of the key in the table: another rule, another count. */
  name: string;
  most: number;
  windowMs: number;
  /** The pause after `most` uses, in milliseconds; it doubles with each further use, up to `maxMs`. */
  slow?: { firstMs: number; maxMs: number };
}

/** Whom a rule bounds: an e-mail, an IP address, an account's id. Stored as a keyed hash only. */
export interface LimitedUse {
  rule: LimitRule;
  whom: string;
}

export interface Limits {
  /**
   * Counts one use of each, or refuses and counts none when one is used up. Call it before the work it bounds and outside
   * its transaction: a failed try counts too, and of many at once exactly as many get through as the rule says. With `tx`
   * the uses count only if that transaction commits.
   * @throws ApiError too_many_requests, with the seconds to wait
   */
  spend(uses: readonly LimitedUse[], tx?: Orm): Promise<void>;
  /** Forgets these uses, as after a right password. */
  clear(uses: readonly LimitedUse[]): Promise<void>;
  /** Removes what counts for nothing any more. */
  deleteExpired(): Promise<void>;
}

/** Bounds that hold across restarts and across the processes of an instance. */
export function createLimits(
  db: Pick<Database, "orm" | "transaction">,
  keys: Keys,
  now: () => number = Date.now,
): Limits {
  // Under each key of SECRET_KEY: while one replaces another neither gives fresh uses.
  const keysOf = ({ rule, whom }: LimitedUse) => keys.hashes("limit", whom).map((hash) => `${rule.name}:${hash}`);

  /** Milliseconds until there is one use more; 0 when this one was counted. */
  async function count(tx: Orm, key: string, { most, windowMs, slow }: LimitRule): Promise<number> {
    const time = now();
    const recent = sql`select u from unnest(${limitUse.uses}) u where u > ${time - windowMs}`;
    // The exponent is bounded so that the power stays a number.
    const paused =
      slow === undefined
        ? sql``
        : sql` or (select max(u) + least(${slow.maxMs}::float8, ${slow.firstMs}::float8 *
            power(2, least(count(*) - ${most}, 40)))
            from (${recent}) as recent) <= ${time}`;
    const counted = await tx
      .insert(limitUse)
      .values({ key, uses: [time], expires: time + windowMs })
      .onConflictDoUpdate({
        target: limitUse.key,
        set: { uses: sql`array(${recent} order by u) || ${time}::bigint`, expires: time + windowMs },
        setWhere: sql`(select count(*) from (${recent}) as recent) < ${most}${paused}`,
      })
      .returning({ key: limitUse.key });
    if (counted.length > 0) return 0;
    const [row] = await tx.select({ uses: limitUse.uses }).from(limitUse).where(eq(limitUse.key, key));
    const uses = row?.uses.filter((use) => use > time - windowMs) ?? [];
    const [decisive, last] = [uses.at(-most), uses.at(-1)];
    if (decisive === undefined || last === undefined) return 1;
    const room = decisive + windowMs;
    const next = slow && last + Math.min(slow.maxMs, slow.firstMs * 2 ** (uses.length - most));
    return Math.max(1, Math.min(room, next ?? room) - time);
  }

  return {
    async spend(uses, outer) {
      // In one order for all, so that two never wait for each other.
      const keyed = uses
        .flatMap((use) => keysOf(use).map((key) => ({ key, rule: use.rule })))
        .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
      const spendIn = async (tx: Orm) => {
        let wait = 0;
        for (const { key, rule } of keyed) wait = Math.max(wait, await count(tx, key, rule));
        if (wait > 0) throw usedUp(wait);
      };
      await (outer === undefined ? db.transaction(spendIn) : spendIn(outer));
    },
    async clear(uses) {
      await db.orm.delete(limitUse).where(inArray(limitUse.key, uses.flatMap(keysOf)));
    },
    async deleteExpired() {
      await db.orm.delete(limitUse).where(lte(limitUse.expires, now()));
    },
  };
}

function usedUp(waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const text = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return new ApiError("too_many_requests", `Too many tries; try again in ${text}`, { retryAfter: seconds });
}
