import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { createHeartbeat, runningInstances } from "../../src/operations/heartbeat.ts";
import { version } from "../../src/version.ts";
import { withDatabase } from "../support/databases.ts";

withDatabase("the list of instances", (open) => {
  function aServer(db: Database, ...roles: Parameters<typeof createHeartbeat>[0]["roles"]) {
    const id = randomUUID();
    const heartbeat = createHeartbeat({ db, id, roles, log: { warn() {} }, everyMs: 20 });
    heartbeat.start();
    return { id, heartbeat };
  }

  it("has each process with its roles until it stops", async () => {
    const db = await open();
    const first = aServer(db, "web", "mqtt");
    await expect.poll(() => runningInstances(db.orm)).toHaveLength(1);
    const second = aServer(db, "jobs");
    await expect
      .poll(() => runningInstances(db.orm))
      .toMatchObject([
        { id: first.id, version, roles: ["web", "mqtt"] },
        { id: second.id, version, roles: ["jobs"] },
      ]);
    await first.heartbeat.stop();
    expect(await runningInstances(db.orm)).toMatchObject([{ id: second.id }]);
    await second.heartbeat.stop();
  });

  it("loses a process that was killed, and has one again that was only paused, with its first start", async () => {
    const db = await open();
    const killed = randomUUID();
    await db.orm.execute(sql`insert into instance (id, version, host, roles, start_time, seen_time)
      values (${killed}, '1', 'a', '{web}', now() - interval '2 hours', now() - interval '1 minute')`);
    expect(await runningInstances(db.orm)).toEqual([]);
    const heartbeat = createHeartbeat({ db, id: killed, roles: ["web"], log: { warn() {} } });
    await heartbeat.deleteExpired();
    heartbeat.start();
    await expect.poll(() => runningInstances(db.orm)).toHaveLength(1);
    const [again] = await runningInstances(db.orm);
    expect(again?.seenTime.getTime()).toBeGreaterThan((again?.startTime.getTime() ?? 0) + 7_000_000);
    await heartbeat.stop();
  });
});
