import { randomUUID } from "node:crypto";
import { nameHex } from "@aqua/sdk/proofs/reading";
import { sql } from "drizzle-orm";
import { Registry } from "prom-client";
import { beforeAll, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import type { Database } from "../../src/db/database.ts";
import { lease, putBack } from "../../src/jobs/store.ts";
import { anchored, jobCounts, leaders } from "../../src/operations/figures.ts";
import { createOperationMetrics } from "../../src/operations/metrics.ts";
import { withDatabase } from "../support/databases.ts";

withDatabase("the operator's figures", (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  const now = () => Date.now();
  const job = (kind: string, more: { runAt?: number; failed?: boolean } = {}) =>
    db.orm.execute(sql`insert into job (kind, payload, run_at, create_time, failed_time)
      values (${kind}, '{}', ${more.runAt ?? now()}, ${now()}, ${more.failed ? now() : null})`);

  it("count jobs by kind, and tell a failing one from one that only waits for a condition", async () => {
    const minute = 60_000;
    await job("a", { runAt: now() - 10 * minute });
    await job("a", { runAt: now() + 10 * minute });
    await job("a", { failed: true });
    await job("b");
    await job("c");
    for (const [kind, hasFailed] of [
      ["b", true],
      ["c", false],
    ] as const) {
      const [held] = await lease(db.orm, { kinds: [kind], owner: "w", leaseMs: minute, most: 1 });
      expect((await jobCounts(db.orm)).find((one) => one.kind === kind)).toMatchObject({
        waiting: 1,
        overdueSeconds: 0,
      });
      await putBack(db.orm, { id: held?.id ?? 0, owner: "w", pauseMs: minute, lastError: "not yet", hasFailed });
    }
    const idle = { abandoned: 0, overdueSeconds: 0 };
    expect(await jobCounts(db.orm)).toEqual([
      { kind: "a", waiting: 2, failing: 0, abandoned: 1, overdueSeconds: expect.closeTo(600, -2) },
      { kind: "b", waiting: 0, failing: 1, ...idle },
      { kind: "c", waiting: 1, failing: 0, ...idle },
    ]);
    // The next try of a job that failed counts as failing until it has succeeded.
    await lease(db.orm, { kinds: ["b", "c"], owner: "w", leaseMs: minute, most: 2 });
    await db.orm.execute(sql`update job set run_at = 0 where kind in ('b', 'c')`);
    await lease(db.orm, { kinds: ["b", "c"], owner: "w", leaseMs: minute, most: 2 });
    expect(await jobCounts(db.orm)).toMatchObject([
      { kind: "a" },
      { kind: "b", failing: 1 },
      { kind: "c", failing: 0 },
    ]);
  });

  it("say how old a product's newest batch on chain is, and what is not anchored", async () => {
    const stream = nameHex("solar");
    const seconds = Math.floor(now() / 1_000);
    const devices = [
      ["meter-1", "solar", 12],
      ["meter-2", "solar", 3],
      ["flow-1", "water", 2],
      ["idle-1", "wind", 0],
    ] as const;
    for (const [name, shortId, seq] of devices) {
      const { rows } = await db.orm.execute<{ id: number }>(sql`
        insert into device (name, chain_id, short_id, metric, exponent, min, max, "interval", place, latitude, longitude,
          model, trust, secret_hash, create_time)
        values (${name}, 1, ${shortId}, 'energy', 0, 0, 1, 1, 'p', 1, 2, 'm', 'software_key', '', ${now() - 7_200_000})
        returning id`);
      await db.orm.execute(sql`insert into device_head (device, seq, hash, time, accepted, repeats, readings)
        values (${rows[0]?.id}, ${seq}, '', 0, 0, 0, ${seq})`);
    }
    for (const number of [1, 2, 3]) {
      await db.orm.execute(sql`insert into telemetry_batch (chain_id, stream, number, short_id, previous_head, root,
          "from", "to", count, data_hash, head, file, create_time)
        values (1, ${stream}, ${number}, 'solar', '', '', 0, 0, 4, '', ${String(number)}, '', 0)`);
      await db.orm.execute(sql`insert into telemetry_batch_part (chain_id, stream, number, device, first_seq, last_seq)
        select 1, ${stream}, ${number}, id, 0, ${number * 2} from device where name = 'meter-1'`);
    }
    await db.orm.execute(sql`insert into anchor (chain_id, block, log_index, time, hash, stream, number, root, "from",
        "to", count, data_hash, head)
      values (1, 5, 0, ${seconds - 900}, '', ${stream}, 1, '', 0, 0, 4, '', '1')`);
    expect(await anchored(db.orm)).toEqual([
      { chainId: 1, shortId: "solar", ageSeconds: expect.closeTo(900, -2), readings: 9, batches: 2 },
      { chainId: 1, shortId: "water", ageSeconds: expect.closeTo(7_200, -2), readings: 2, batches: 0 },
      { chainId: 1, shortId: "wind", ageSeconds: expect.closeTo(7_200, -2), readings: 0, batches: 0 },
    ]);
  });

  it("name the process that leads each work, and none after its lease has run out", async () => {
    const [reader, writer] = [randomUUID(), randomUUID()];
    await db.orm.execute(
      sql`insert into leadership (work, leader, until) values ('mqtt', ${reader}, now() - interval '1 s')`,
    );
    await db.orm.execute(sql`insert into chain_cursor (chain_id, product_registry, state, epoch, lease_owner, lease_until)
      values (1, '', 'live', 1, ${writer}, now() + interval '1 minute')`);
    expect(await leaders(db.orm, ["chain 1", "chain 2", "mqtt"])).toEqual([
      { work: "chain 1", instance: writer },
      { work: "chain 2", instance: null },
      { work: "mqtt", instance: null },
    ]);
  });

  it("leave the other metrics readable while the database does not answer", async () => {
    const broken = { orm: { execute: () => Promise.reject(new Error("away")) } as never, connections: db.connections };
    const registry = new Registry();
    const parts = { config: readConfig({}), works: ["mqtt"], kinds: () => ["a"], keys: { last: () => [] } };
    createOperationMetrics({ ...parts, db: broken }).register(registry);
    const text = await registry.metrics();
    expect(text).toContain("aqua_database_answers 0\n");
    expect(text).toContain("aqua_database_connections_max 10\n");
    expect(text).toContain('aqua_job_tries_total{kind="a",outcome="failed"} 0\n');
    expect(text).not.toMatch(/^aqua_(jobs|leader|instances)\{/m);
  });
});
