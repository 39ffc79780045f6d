import { eq, inArray, lte, sql } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Keys } from "../keys.ts";
import { limitUse } from "./schema.ts";

/**
 * Allows at most `most` uses within any `windowMs`. With `slow`, further uses pass at growing intervals. The number of
 * uses that can pass in a window should stay in the hundreds, because a row stores one number per use.
 */
export interface LimitRule {
  /** Prefix of the key in the table. Each rule counts separately. */
  name: string;
  most: number;
  windowMs: number;
  /** The pause after `most` uses in milliseconds. It doubles with each further use, up to `maxMs`. */
  slow?: { firstMs: number; maxMs: number };
}

/** The party that a rule limits: an e-mail, an IP address or an account id. Only its keyed hash is stored. */
export interface LimitedUse {
  rule: LimitRule;
  whom: string;
}

export interface Limits {
  /**
   * Counts one use of each, or rejects and counts none if one limit is reached. Call it before the work that it limits
   * and outside the work's transaction: a failed attempt then counts too, and of many simultaneous attempts exactly as
   * many pass as the rule allows. With `tx` the uses count only if that transaction commits.
   * @throws ApiError too_many_requests with the seconds to wait
   */
  spend(uses: readonly LimitedUse[], tx?: Orm): Promise<void>;
  /** Deletes these uses, for example after a correct password. */
  clear(uses: readonly LimitedUse[]): Promise<void>;
  /** Deletes uses that no longer count. */
  deleteExpired(): Promise<void>;
}

/** Limits that apply across restarts and across the processes of an instance. */
export function createLimits(
  db: Pick<Database, "orm" | "transaction">,
  keys: Keys,
  now: () => number = Date.now,
): Limits {
  // Counts under each key of SECRET_KEY, so that no additional uses become available while one key replaces another.
  const keysOf = ({ rule, whom }: LimitedUse) => keys.hashes("limit", whom).map((hash) => `${rule.name}:${hash}`);

  /** Counts a use. Returns the milliseconds until another one is possible, or 0 if this one was counted. */
  async function count(tx: Orm, key: string, { most, windowMs, slow }: LimitRule): Promise<number> {
    const time = now();
    const recent = sql`select u from unnest(${limitUse.uses}) u where u > ${time - windowMs}`;
    // The exponent is bounded, so that the power stays finite.
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
      // All callers use the same order, so that two never deadlock.
      const keyed = uses
        .flatMap((use) => keysOf(use).map((key) => ({ key, rule: use.rule })))
        .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
      const spendIn = async (tx: Orm) => {
        let wait = 0;
        let limit = "";
        for (const { key, rule } of keyed) {
          const ms = await count(tx, key, rule);
          if (ms > wait) [wait, limit] = [ms, rule.name];
        }
        if (wait > 0) throw usedUp(wait, limit);
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

function usedUp(waitMs: number, limit: string): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const text = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return new ApiError("too_many_requests", `Too many tries; try again in ${text}`, { retryAfter: seconds, limit });
}
