import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import type { ApiError } from "../../src/errors.ts";
import { createKeys } from "../../src/keys.ts";
import { createLimits, type LimitRule, type Limits } from "../../src/limits/limits.ts";
import { limitUse } from "../../src/limits/schema.ts";
import { withDatabase } from "../support/databases.ts";

const MINUTE = 60_000;
const rule: LimitRule = { name: "test", most: 10, windowMs: 15 * MINUTE };
const other: LimitRule = { name: "other", most: 2, windowMs: MINUTE };

withDatabase("limits", (open) => {
  let db: Database;
  let limits: Limits;
  let time = 1_700_000_000_000;
  const keys = createKeys(new Uint8Array(32).fill(7));
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    await db.orm.delete(limitUse);
    limits = createLimits(db, keys, () => time);
  });
  const whom = "a@aqua.example";
  const passed = (use = { rule, whom }) =>
    limits.spend([use]).then(
      () => true,
      () => false,
    );
  const waitOf = (use = { rule, whom }) =>
    limits.spend([use]).then(
      () => 0,
      (error: ApiError) => {
        expect(error).toMatchObject({ code: "too_many_requests", statusCode: 429 });
        return error.retryAfter;
      },
    );

  it("let exactly the allowed number through within any window, and report how long to wait", async () => {
    for (let use = 0; use < 10; use += 1) {
      expect(await passed()).toBe(true);
      time += MINUTE;
    }
    // The first use was 10 minutes ago and counts for another 5 minutes.
    expect(await waitOf()).toBe(5 * 60);
    time += 5 * MINUTE - 1;
    expect(await waitOf()).toBe(1);
    time += 1;
    expect(await passed()).toBe(true);
    expect(await waitOf()).toBe(60);
  });

  it("do not count a rejected try: a caller who waits the stated time gets through", async () => {
    for (let use = 0; use < 10; use += 1) await passed();
    for (let again = 0; again < 30; again += 1) expect(await passed()).toBe(false);
    time += 15 * MINUTE;
    expect(await passed()).toBe(true);
  });

  it("let exactly the allowed number of 50 simultaneous tries through", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => passed()));
    expect(answers.filter(Boolean)).toHaveLength(10);
  });

  it("apply after a restart and across processes", async () => {
    for (let use = 0; use < 10; use += 1) await passed();
    limits = createLimits(db, keys, () => time);
    expect(await passed()).toBe(false);
  });

  it("count each rule and person separately, and count nothing if one of several limits is reached", async () => {
    const both = [
      { rule, whom },
      { rule: other, whom: "203.0.113.7" },
    ];
    await limits.spend(both);
    await limits.spend(both);
    for (let again = 0; again < 20; again += 1) await expect(limits.spend(both)).rejects.toThrow("try again in 60 s");
    for (let use = 2; use < 10; use += 1) expect(await passed()).toBe(true);
    expect(await passed()).toBe(false);
    expect(await passed({ rule, whom: "b@aqua.example" })).toBe(true);
  });

  it("do not deadlock if two requests limit the same people in another order", async () => {
    const wide = { name: "wide", most: 1_000, windowMs: MINUTE };
    const uses = [
      { rule: wide, whom: "a" },
      { rule: wide, whom: "b" },
    ];
    const orders = Array.from({ length: 40 }, (_, turn) => limits.spend(turn % 2 ? uses : [...uses].reverse()));
    await Promise.all(orders);
    const rows = await db.orm.select({ uses: limitUse.uses }).from(limitUse);
    expect(rows.map(({ uses }) => uses.length)).toEqual([40, 40]);
  });

  it("start again after a reset, and store only uses that still count", async () => {
    for (let use = 0; use < 10; use += 1) await passed();
    await limits.clear([{ rule, whom }]);
    expect(await passed()).toBe(true);
    time += 15 * MINUTE - 1;
    await limits.deleteExpired();
    expect(await db.orm.select().from(limitUse)).toHaveLength(1);
    time += 1;
    await limits.deleteExpired();
    expect(await db.orm.select().from(limitUse)).toEqual([]);
  });

  it("let further uses of a slow rule through at doubling pauses up to a maximum, as the answer states", async () => {
    const slow = { ...rule, name: "slow", slow: { firstMs: 1_000, maxMs: 4_000 } };
    const use = { rule: slow, whom };
    for (let free = 0; free < 10; free += 1) expect(await waitOf(use)).toBe(0);
    for (const pause of [1, 2, 4, 4]) {
      expect(await waitOf(use)).toBe(pause);
      time += pause * 1_000 - 1;
      expect(await waitOf(use)).toBe(1);
      time += 1;
      const many = await Promise.all(Array.from({ length: 20 }, () => passed(use)));
      expect(many.filter(Boolean)).toHaveLength(1);
    }
    time += 15 * MINUTE;
    expect(await waitOf(use)).toBe(0);
    expect(await waitOf(use)).toBe(0);
  });

  it("count a use in a transaction only if the transaction commits", async () => {
    const undone = db.transaction(async (tx) => {
      await limits.spend([{ rule: other, whom }], tx);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    for (let use = 0; use < 2; use += 1) await db.transaction((tx) => limits.spend([{ rule: other, whom }], tx));
    expect(await passed({ rule: other, whom })).toBe(false);
  });

  it("store no e-mail in the table", async () => {
    await passed();
    const { rows } = await db.orm.execute(sql`select * from limit_use`);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("aqua.example");
  });
});
