import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { auditFinding } from "../../src/audit/schema.ts";
import { createAuditStore } from "../../src/audit/store.ts";
import { runStoredAudits } from "../../src/audit/storedLoop.ts";
import type { Database } from "../../src/db/database.ts";
import { createKeys } from "../../src/keys.ts";
import { withDatabase } from "../support/databases.ts";
import { publicLogOf } from "../support/publicLog.ts";
import { CHAIN, fill } from "./world.ts";

withDatabase("the audit of readings in the background", (open) => {
  let db: Database;
  let running: Promise<void> | undefined;
  const errors: string[] = [];
  const stopping = new AbortController();

  beforeAll(async () => {
    db = await open();
    await fill(db);
  });
  afterAll(async () => {
    stopping.abort();
    await running;
  });

  it("records a changed reading once, and when it was right again", async () => {
    const add = (steps: number) =>
      db.orm.execute(sql`update reading set value = value + ${steps}::int where device = 1 and seq = 3`);
    const findings = () => db.orm.select().from(auditFinding);
    await add(1);
    const log = { warn: (fields: object) => errors.push(JSON.stringify(fields)), error: () => {} };
    const publicLog = await publicLogOf(db, createKeys(new Uint8Array(32)));
    const parts = { db, publicLog, chainIds: [CHAIN], store: createAuditStore(db), log, share: 1 };
    running = runStoredAudits({ ...parts, everyMs: 10, wholeEveryMs: 0 }, stopping.signal);
    await vi.waitFor(async () => expect(await findings()).not.toEqual([]), { timeout: 60_000 });
    const found = await findings();
    expect(found.every(({ healed, block }) => healed === null && block === null)).toBe(true);
    expect(found).toContainEqual(expect.objectContaining({ table: "reading", row: "device 1, number 3" }));
    await add(-1);
    await vi.waitFor(async () => expect((await findings()).filter(({ healed }) => healed === null)).toEqual([]), {
      timeout: 60_000,
    });
    expect(await findings()).toHaveLength(found.length);
    expect(errors).toEqual([]);
  });
});
