import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDeletedAccounts } from "../../src/account/deleted.ts";
import { account } from "../../src/account/schema.ts";
import type { Database } from "../../src/db/database.ts";
import { createKeys } from "../../src/keys.ts";
import { openAccount } from "../support/accounts.ts";
import { withDatabase } from "../support/databases.ts";
import { workOff } from "../support/jobs.ts";

withDatabase("a deleted account", (open) => {
  let db: Database;
  let dataDir: string;
  beforeAll(async () => {
    db = await open();
    dataDir = await mkdtemp(join(tmpdir(), "aqua-deleted-"));
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  it("is deleted again if a backup has restored it, unlike any other account", async () => {
    const keys = createKeys(new Uint8Array(32).fill(3));
    const deleted = createDeletedAccounts({ db, keys, dataDir });
    const [gone, stays] = [await openAccount(db), await openAccount(db)];
    const none = async () => {};
    expect(await deleted.apply(none)).toBe(0);
    const [backup] = (await db.orm.select().from(account)).filter(({ id }) => id === gone.id);
    await db.transaction(async (tx) => {
      await deleted.note(tx, gone.id);
    });
    await workOff(db, deleted.handlers);
    const list = await readFile(join(dataDir, "deleted-accounts"), "utf8");
    expect(list).toMatch(/^[0-9a-f]{64}\n$/);
    expect(list).not.toContain(gone.id);

    // The account exists again, as after a restore.
    expect(backup?.id).toBe(gone.id);
    const before: string[] = [];
    expect(await deleted.apply(async (_tx, id) => void before.push(id))).toBe(1);
    expect(before).toEqual([gone.id]);
    expect((await db.orm.select().from(account)).map(({ id }) => id)).toEqual([stays.id]);
    expect(await deleted.apply(none)).toBe(0);
  });
});
