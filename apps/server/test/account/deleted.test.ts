import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDeletedAccounts } from "../../src/account/deleted.ts";
import { account } from "../../src/account/schema.ts";
import { connectDatabase, type Database } from "../../src/db/database.ts";
import { deletionList, openDeletionList } from "../../src/db/deletionList.ts";
import { createKeys } from "../../src/keys.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { openAccount } from "../support/accounts.ts";
import { createServerDatabase, withDatabase } from "../support/databases.ts";
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
    const list = deletionList({ dataDir, deletionsUrl: null });
    const deleted = createDeletedAccounts({ db, keys, writer: createLogWriter(keys), list });
    const [gone, stays] = [await openAccount(db), await openAccount(db)];
    const none = async () => {};
    expect(await deleted.apply(none)).toBe(0);
    const [backup] = (await db.orm.select().from(account)).filter(({ id }) => id === gone.id);
    await db.transaction(async (tx) => {
      await deleted.note(tx, gone.id);
    });
    await workOff(db, deleted.handlers);
    const text = await readFile(join(dataDir, "deleted-accounts"), "utf8");
    expect(text).toMatch(/^[0-9a-f]{64}\n$/);
    expect(text).not.toContain(gone.id);

    // The account exists again, as after a restore.
    expect(backup?.id).toBe(gone.id);
    const before: string[] = [];
    expect(await deleted.apply(async (_tx, id) => void before.push(id))).toBe(1);
    expect(before).toEqual([gone.id]);
    expect((await db.orm.select().from(account)).map(({ id }) => id)).toEqual([stays.id]);
    expect(await deleted.apply(none)).toBe(0);
  });

  it("is deleted again by a server of another machine, if both have the list in a second database", async () => {
    const keys = createKeys(new Uint8Array(32).fill(4));
    const deletionsUrl = await createServerDatabase();
    const machine = async () => {
      const folder = await mkdtemp(join(dataDir, "machine-"));
      return { folder, open: () => openDeletionList({ dataDir: folder, deletionsUrl }) };
    };
    const [one, other] = [await machine(), await machine()];
    await writeFile(join(one.folder, "deleted-accounts"), "from the time of the file\n");
    const [gone, stays] = [await openAccount(db), await openAccount(db)];
    const first = createDeletedAccounts({ db, keys, writer: createLogWriter(keys), list: await one.open() });
    await db.transaction((tx) => first.note(tx, gone.id));
    await workOff(db, first.handlers);
    await db.transaction((tx) => first.note(tx, gone.id));
    await workOff(db, first.handlers);

    const list = await other.open();
    expect([...(await list.all())].sort()).toEqual([...keys.hashes("deleted", gone.id), "from the time of the file"]);
    expect(await createDeletedAccounts({ db, keys, writer: createLogWriter(keys), list }).apply(async () => {})).toBe(
      1,
    );
    expect((await db.orm.select().from(account)).map(({ id }) => id)).toContain(stays.id);
    expect((await db.orm.select().from(account)).map(({ id }) => id)).not.toContain(gone.id);
  });

  it("is noted by a role that may only add to the list", async () => {
    const deletionsUrl = await createServerDatabase();
    await openDeletionList({ dataDir, deletionsUrl });
    const owner = await connectDatabase(deletionsUrl);
    const role = `adds_${new URL(deletionsUrl).pathname.slice(-12)}`;
    await owner.orm.execute(`create role ${role} login`);
    await owner.orm.execute(`grant select, insert on deleted_account to ${role}`);
    const list = deletionList({ dataDir, deletionsUrl: deletionsUrl.replace("aqua@", `${role}@`) });
    expect(await list.add(["a", "b"])).toBe(2);
    expect(await list.add(["b", "c"])).toBe(1);
    expect([...(await list.all())].sort()).toEqual(expect.arrayContaining(["a", "b", "c"]));
    await owner.orm.execute(`drop owned by ${role}`);
    await owner.orm.execute(`drop role ${role}`);
    await owner.close();
  });

  it("keeps a server from starting whose list cannot be read", async () => {
    const deletionsUrl = (await createServerDatabase()).replace(/[^/]+$/, "nowhere");
    await expect(openDeletionList({ dataDir, deletionsUrl })).rejects.toThrow(
      'the database of DELETIONS_URL does not answer: database "nowhere" does not exist',
    );
  });
});
