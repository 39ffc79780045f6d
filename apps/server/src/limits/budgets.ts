import { setTimeout as sleep } from "node:timers/promises";
import { lte, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Orm } from "../db/database.ts";
import { statement } from "../db/statement.ts";
import { isDatabaseAway } from "../errors.ts";
import type { Keys } from "../keys.ts";
import { callBudget } from "./schema.ts";

/** At most `max` calls in a window, which begins with the first of them. */
export interface BudgetRule {
  max: number;
  windowMs: number;
}

/** A counted call. `current` exceeds the rule's `max` if the call is refused. `ttl`: milliseconds until the window ends. */
export interface Spent {
  current: number;
  ttl: number;
}

/** Counts one call of someone, at once unless a slice is used up before the next one is there. */
export type Spend = (whom: string, rule: BudgetRule) => Spent | Promise<Spent>;

export interface Budgets {
  /** The counter of one kind of calls. */
  of(name: string): Spend;
  /** Deletes the rows of windows that have ended. */
  deleteExpired(): Promise<void>;
}

interface Options {
  log: { error(fields: object, message: string): void };
  now?: () => number;
  /** Milliseconds for which a call waits for the database. */
  claimMs?: number;
}

/** Parts into which a budget is divided. The smallest slice is one: 30 of 600 calls. */
const SLICES = 20;
/** Addresses for which a kind of calls is counted. The one that called longest ago is forgotten first. */
const ADDRESSES = 5_000;
/** Milliseconds for which a call waits for the database, and for which then no other one asks it. */
const CLAIM_MS = 1_000;
const AWAY_MS = 5_000;

/** What a process may let through in the window of one address. */
interface Share {
  ends: number;
  used: number;
  granted: number;
  /** Calls of `granted` that the database has counted. */
  registered: number;
  /** Calls that others had taken when this process last asked. */
  others: number;
  claim: Promise<void> | null;
}

/** Counts calls in the database. Returns those of all processes, and the end of their window. */
const register = statement<{ key: string; calls: number; ends: number; now: number }, { taken: string; ends: string }>(
  "register_calls",
  sql`insert into call_budget as budget (key, taken, ends)
    values (${sql.placeholder("key")}, ${sql.placeholder("calls")}, ${sql.placeholder("ends")})
    on conflict (key) do update set
      taken = excluded.taken + case when budget.ends <= ${sql.placeholder("now")}::bigint then 0 else budget.taken end,
      ends = case when budget.ends <= ${sql.placeholder("now")}::bigint then excluded.ends else budget.ends end
    returning taken, ends`,
);

/**
 * Limits of calls that all processes of an instance share. A process takes slices of an address's budget from the
 * database, so most calls ask nobody. The first slice of a window is used without asking, and is counted with the second:
 * whoever calls seldom costs no query. Processes together let through at most the budget and one smallest slice more
 * for each process after the first. An unused slice lapses with its window. While the database does not answer, each process
 * counts for itself.
 */
export function createBudgets(
  { orm }: { orm: Orm },
  keys: Pick<Keys, "hash">,
  { log, now = Date.now, claimMs = CLAIM_MS }: Options,
): Budgets {
  let awayUntil = 0;

  function noteFailure(error: unknown): null {
    // The database itself is logged when it is away.
    if (!isDatabaseAway(error))
      log.error({ err: error }, "calls cannot be counted for all processes; each counts its own");
    return null;
  }

  /** Takes another slice, or finds out that there is none. */
  async function claim(share: Share, key: string, { max }: BudgetRule): Promise<void> {
    // Larger while much is left: a caller who uses it all asks ten times in place of twenty.
    const slice = Math.max(sliceOf(max), Math.floor((max - share.others - share.granted) / 4));
    const unregistered = share.granted - share.registered;
    const calls = unregistered + slice;
    const answer =
      now() < awayUntil
        ? null
        : await Promise.race([
            register(orm, { key, calls, ends: share.ends, now: now() }).catch(noteFailure),
            sleep(claimMs, null, { ref: false }),
          ]);
    const row = answer?.[0];
    if (row === undefined) {
      if (now() >= awayUntil) awayUntil = now() + AWAY_MS;
      share.granted = Math.max(share.granted, max - share.others);
      return;
    }
    const before = Number(row.taken) - calls;
    share.others = Math.max(0, before - share.registered);
    share.registered += calls;
    share.granted += Math.min(slice, Math.max(0, max - share.others - share.granted));
    share.ends = Number(row.ends);
  }

  /** All calls of an address wait for the same claim. It never rejects. */
  function claimOnce(share: Share, key: () => string, rule: BudgetRule): Promise<void> {
    share.claim ??= claim(share, key(), rule).finally(() => {
      share.claim = null;
    });
    return share.claim;
  }

  async function spendAfterClaim(share: Share, key: () => string, rule: BudgetRule): Promise<Spent> {
    while (share.used >= share.granted && !isUsedUp(share, rule)) await claimOnce(share, key, rule);
    return spendGranted(share, rule);
  }

  function spendGranted(share: Share, { max }: BudgetRule): Spent {
    const ttl = Math.max(0, share.ends - now());
    if (share.used >= share.granted) return { current: max + 1, ttl };
    share.used += 1;
    return { current: Math.min(max, share.others + share.used), ttl };
  }

  return {
    of(name) {
      const shares = new LRUCache<string, Share>({ max: ADDRESSES });
      return (whom, rule) => {
        let share = shares.get(whom);
        if (share === undefined || share.ends <= now()) {
          const ends = now() + rule.windowMs;
          share = { ends, used: 0, granted: sliceOf(rule.max), registered: 0, others: 0, claim: null };
          shares.set(whom, share);
        }
        const key = () => `${name}:${keys.hash("limit", whom)}`;
        if (isUsedUp(share, rule)) return spendGranted(share, rule);
        if (share.used >= share.granted) return spendAfterClaim(share, key, rule);
        const spent = spendGranted(share, rule);
        if (share.granted - share.used <= reserveOf(rule.max)) void claimOnce(share, key, rule);
        return spent;
      };
    },
    async deleteExpired() {
      await orm.delete(callBudget).where(lte(callBudget.ends, now()));
    },
  };
}

const sliceOf = (max: number) => Math.ceil(max / SLICES);
/** Calls left of a slice with which the next one is asked for, so that nobody waits for it. */
const reserveOf = (max: number) => Math.floor(sliceOf(max) / 4);
const isUsedUp = ({ others, granted }: Share, { max }: BudgetRule) => others + granted >= max;
