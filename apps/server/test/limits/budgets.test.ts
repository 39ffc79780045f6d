import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import type { Database, Orm } from "../../src/db/database.ts";
import { DatabaseUnavailable } from "../../src/errors.ts";
import { createKeys } from "../../src/keys.ts";
import { type Budgets, createBudgets } from "../../src/limits/budgets.ts";
import { callBudget } from "../../src/limits/schema.ts";
import { testApp } from "../support/app.ts";
import { withDatabase } from "../support/databases.ts";

const keys = createKeys(new Uint8Array(32).fill(7));
const logged: string[] = [];
const log = { error: (_fields: object, message: string) => void logged.push(message) };
const MAX = 600;
const SLICE = 30;
const rule = { max: MAX, windowMs: 60_000 };

withDatabase("budgets of calls", (open) => {
  /** Processes on a database of their own, with a clock, and the number of their queries. */
  async function world(processes = 2) {
    const db = await open();
    const clock = { time: 1_800_000_000_000 };
    const asked: { count: number; fails: Error | null } = { count: 0, fails: null };
    const orm = new Proxy(db.orm, {
      get(target, name) {
        if (name !== "_") return Reflect.get(target, name);
        asked.count += 1;
        if (asked.fails) return { session: { prepareQuery: () => ({ execute: () => Promise.reject(asked.fails) }) } };
        return target._;
      },
    }) as Orm;
    const all = Array.from({ length: processes }, () => createBudgets({ orm }, keys, { log, now: () => clock.time }));
    return { db, clock, asked, all, counters: all.map((budgets) => budgets.of("api")) };
  }
  const isAllowed = async (spend: ReturnType<Budgets["of"]>, whom = "192.0.2.1", of = rule) =>
    (await spend(whom, of)).current <= of.max;
  /** The number of `calls` that pass, sent in turns and, of each turn, at once. */
  async function passed(counters: readonly ReturnType<Budgets["of"]>[], calls: number): Promise<number> {
    let count = 0;
    for (let call = 0; call < calls; call += counters.length * 10) {
      const turn = counters.flatMap((spend) => Array.from({ length: 10 }, () => isAllowed(spend)));
      count += (await Promise.all(turn)).filter(Boolean).length;
    }
    return count;
  }

  it("let exactly the limit through in one process, and again in the next window", async () => {
    const { counters, clock } = await world(1);
    expect(await passed(counters, 900)).toBe(MAX);
    clock.time += 59_999;
    expect(await passed(counters, 100)).toBe(0);
    clock.time += 1;
    expect(await passed(counters, 900)).toBe(MAX);
  });

  it("let at most the limit and one slice through in two processes, however calls are divided between them", async () => {
    const equal = await world();
    const both = await passed(equal.counters, 2_000);
    expect(both).toBeGreaterThan(MAX - SLICE);
    // Both have asked, so their first slices are counted too.
    expect(both).toBeLessThanOrEqual(MAX);
    // The first takes all; the second has its first slice, which it does not ask for.
    const { counters } = await world();
    const [first, second] = counters;
    if (first === undefined || second === undefined) throw new Error("there are two");
    expect(await passed([first], 900)).toBe(MAX);
    expect(await passed([second], 900)).toBe(SLICE);
    expect(await passed([second, first], 900)).toBe(0);
  });

  it("end the window of an address at the same moment in each process", async () => {
    const { counters, clock } = await world();
    const [first, second] = counters;
    if (first === undefined || second === undefined) throw new Error("there are two");
    await passed([first], 900);
    clock.time += 40_000;
    await passed([second], 100);
    const refused = await second("192.0.2.1", rule);
    expect(refused).toEqual({ current: MAX + 1, ttl: 20_000 });
    clock.time += 20_000;
    expect(await isAllowed(second)).toBe(true);
    expect(await isAllowed(first)).toBe(true);
  });

  it("ask nobody for who calls seldom, and once a slice for who calls much", async () => {
    const { counters, asked, db } = await world(1);
    expect(await passed(counters, 20)).toBe(20);
    expect(asked.count).toBe(0);
    await passed(counters, MAX);
    expect(asked.count).toBeGreaterThan(0);
    expect(asked.count).toBeLessThanOrEqual(MAX / SLICE);
    const before = asked.count;
    expect(await passed(counters, 300)).toBe(0);
    expect(asked.count).toBe(before);
    const rows = await db.orm.select().from(callBudget);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.key).toMatch(/^api:[0-9a-f]{64}$/);
  });

  it("count each kind of calls and each address apart", async () => {
    const { all, counters } = await world(1);
    const [api] = counters;
    const rpc = all[0]?.of("rpc");
    if (api === undefined || rpc === undefined) throw new Error("there is one");
    const few = { max: 2, windowMs: 60_000 };
    const results = [];
    for (const [spend, whom] of [
      [api, "a"],
      [api, "a"],
      [api, "a"],
      [rpc, "a"],
      [api, "b"],
    ] as const) {
      results.push(await isAllowed(spend, whom, few));
    }
    expect(results).toEqual([true, true, false, true, true]);
  });

  it("count in each process for itself while the database does not answer, and together again afterwards", async () => {
    const { counters, asked, clock } = await world();
    asked.fails = new DatabaseUnavailable();
    expect(await passed(counters.slice(0, 1), 900)).toBe(MAX);
    expect(await passed(counters.slice(1), 900)).toBe(MAX);
    // A database that is away is not asked by every call, nor for every address.
    for (const spend of counters) for (let call = 0; call < SLICE; call += 1) await isAllowed(spend, "192.0.2.2");
    expect(asked.count).toBe(2);
    expect(logged).toEqual([]);
    asked.fails = null;
    clock.time += 60_000;
    expect(await passed(counters, 2_000)).toBeLessThanOrEqual(MAX + SLICE);
  });

  it("log a failure that is not the database's absence", async () => {
    const { counters, asked } = await world(1);
    asked.fails = new Error('relation "call_budget" does not exist');
    expect(await passed(counters, 900)).toBe(MAX);
    expect(logged.splice(0)).toEqual(["calls cannot be counted for all processes; each counts its own"]);
  });

  it("do not wait for a database that hangs", async () => {
    const hanging = { _: { session: { prepareQuery: () => ({ execute: () => new Promise(() => {}) }) } } };
    const spend = createBudgets({ orm: hanging as unknown as Orm }, keys, { log, claimMs: 1 }).of("api");
    expect(await passed([spend], 900)).toBe(MAX);
  });

  it("delete the rows of windows that have ended", async () => {
    const { all, counters, clock, db } = await world(1);
    await passed(counters, 100);
    const count = async () => (await db.orm.select().from(callBudget)).length;
    await all[0]?.deleteExpired();
    expect(await count()).toBe(1);
    clock.time += 60_000;
    await all[0]?.deleteExpired();
    expect(await count()).toBe(0);
  });

  it("hold for two servers on one database, of the API and of /rpc", async () => {
    const db: Database = await open();
    const budgets = () => createBudgets(db, keys, { log });
    const config = { rateLimits: { api: 40, rpc: 40 } };
    const servers = [await testApp({ config, budgets: budgets() }), await testApp({ config, budgets: budgets() })];
    const call = { jsonrpc: "2.0", id: 1, method: "eth_refused" };
    for (const [what, request] of [
      ["api", { url: "/api/v2/network" }],
      ["rpc", { method: "POST", url: "/rpc/31337", payload: call }],
    ] as const) {
      const statuses: number[] = [];
      for (let turn = 0; turn < 50; turn += 1) {
        for (const { app } of servers) statuses.push((await app.inject(request)).statusCode);
      }
      const through = statuses.filter((status) => status !== 429).length;
      expect(through, what).toBeGreaterThanOrEqual(38);
      expect(through, what).toBeLessThanOrEqual(42);
    }
    const { rows } = await db.orm.execute<{ kind: string }>(
      sql`select distinct split_part(key, ':', 1) as kind from call_budget order by 1`,
    );
    expect(rows.map(({ kind }) => kind)).toEqual(["api", "rpc"]);
    for (const { app } of servers) await app.close();
  });
});
