import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { createCodes } from "../../src/account/codes.ts";
import { createDeletedAccounts } from "../../src/account/deleted.ts";
import { sealedTotpSecrets } from "../../src/account/factors.ts";
import { createKnownDevices } from "../../src/account/knownDevices.ts";
import type { AccountMail } from "../../src/account/mails.ts";
import { account, accountTotp } from "../../src/account/schema.ts";
import type { Database } from "../../src/db/database.ts";
import { deletionList } from "../../src/db/deletionList.ts";
import { job } from "../../src/jobs/schema.ts";
import { sealedPayloads, sealPayload } from "../../src/jobs/sealed.ts";
import { enqueue } from "../../src/jobs/store.ts";
import { openKeyring } from "../../src/keyring/keyring.ts";
import { secretKey } from "../../src/keyring/schema.ts";
import { createSealing } from "../../src/keyring/sealing.ts";
import { createKeys, KEY_ID_BYTES, type Keys, keyIdOf } from "../../src/keys.ts";
import { createLimits, type LimitRule } from "../../src/limits/limits.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { openAccount } from "../support/accounts.ts";
import { withDatabase } from "../support/databases.ts";
import { dataFolder } from "../support/dataFolder.ts";
import { workOff } from "../support/jobs.ts";

const [former, next, third, stranger] = [1, 2, 3, 9].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const columns = [sealedTotpSecrets, sealedPayloads];
const hex = (secret: Uint8Array) => keyIdOf(secret).toString("hex");
const text = (value: string) => Buffer.from(value);

withDatabase("the keys of an instance", (open) => {
  let db: Database;
  beforeEach(async () => {
    db = await open();
  });
  const start = (...secrets: Uint8Array[]) => openKeyring(db, { secrets, columns, log: { info: () => {} } });
  const inUse = async () =>
    (await db.orm.select().from(secretKey)).filter(({ sealed }) => sealed === null).map(({ id }) => id);

  /** Returns a value in the earlier sealed form, without the id of its key. */
  const unnamed = (sealed: Uint8Array) => sealed.subarray(KEY_ID_BYTES);

  async function addTotp(keys: Keys, change = (sealed: Uint8Array) => sealed): Promise<string> {
    const { id } = await openAccount(db);
    const secret = change(keys.seal("factor", text(`of ${id}`), `totp ${id}`));
    await db.orm.insert(accountTotp).values({ accountId: id, secret, name: "", createTime: 0, activeTime: 1 });
    return id;
  }
  async function totpOf(id: string): Promise<Uint8Array> {
    const [row] = await db.orm.select().from(accountTotp).where(eq(accountTotp.accountId, id));
    return row?.secret ?? new Uint8Array();
  }

  it("must be one key at the first start, which decrypts the data in the database", async () => {
    await addTotp(createKeys(former), unnamed);
    await expect(start(next, former)).rejects.toThrow("must hold one key, the one in use");
    await expect(start(stranger)).rejects.toThrow(`${hex(stranger)}, is not the key of this database`);
    expect(await inUse()).toEqual([]);
    await start(former);
    await start(next, former);
    expect(await inUse()).toEqual([hex(next)]);
  });

  it("can be any key that the operator has entered if the one in use is lost", async () => {
    await addTotp(await start(former));
    await expect(start(stranger)).rejects.toThrow(hex(stranger));
    await db.orm.execute(sql`delete from secret_key`);
    await db.orm.execute(sql.raw(`insert into secret_key (id, create_time) values ('${hex(stranger)}', 0)`));
    expect((await start(stranger)).id).toEqual(keyIdOf(stranger));
  });

  it("decrypt data of every earlier key, although only the last one is given", async () => {
    const first = await start(former);
    const sealed = [
      first.seal("unsubscribe", text("old"), "link"),
      unnamed(first.seal("unsubscribe", text("older"), "link")),
    ];
    await start(next, former);
    await start(third, next);
    const last = await start(third);
    expect(sealed.map((one) => Buffer.from(last.open("unsubscribe", one, "link")).toString())).toEqual([
      "old",
      "older",
    ]);
    expect(last.hashes("factor", "code")).toContain(first.hash("factor", "code"));
    expect(() =>
      last.open("unsubscribe", createKeys(stranger).seal("unsubscribe", text("x"), "link"), "link"),
    ).toThrow();
  });

  it("are replaced while other processes run, and each decrypts and recognises the other's data", async () => {
    await start(former);
    const waiting = await start(former, next);
    const replacing = await start(next, former);
    for (const [here, there] of [
      [waiting, replacing],
      [replacing, waiting],
    ] as const) {
      expect(Buffer.from(there.open("person", here.seal("person", text("Ada"), "case"), "case"))).toEqual(text("Ada"));
      for (const purpose of ["email", "code", "device", "limit", "factor", "deleted"] as const)
        expect(there.hashes(purpose, "x")).toContain(here.hash(purpose, "x"));
    }
    // Even if the former key is listed first at the next start, the newer key stays in use and is not sealed.
    const behind = await start(former, next);
    expect(behind.id).toEqual(replacing.id);
    expect(await inUse()).toEqual([hex(next)]);
    const reader = createKeys(former);
    for (const { id, sealed } of await db.orm.select().from(secretKey))
      if (sealed !== null) expect(() => reader.open("secret", sealed, id)).toThrow();
  });

  it("are replaced once by servers that start together", async () => {
    await start(former);
    // Opens the connections first, so that all begin at the same time.
    const servers = Array.from({ length: 8 });
    await Promise.all(servers.map(() => db.orm.execute(sql`select pg_sleep(0.05)`)));
    const started = await Promise.all(servers.map(() => start(next, former)));
    expect(new Set(started.map(({ id }) => id.toString("hex")))).toEqual(new Set([hex(next)]));
    expect(await inUse()).toEqual([hex(next)]);
    expect(await db.orm.select().from(secretKey)).toHaveLength(2);
  });

  it("recognise no device after the key that signed its cookie is removed from SECRET_KEY", async () => {
    const email = "anna@aqua.example";
    const devicesOf = (keys: Keys) => createKnownDevices(keys, "https://aqua.example");
    const cookieOf = (header: string) => header.split(";")[0];
    const cookie = cookieOf(devicesOf(await start(former)).remember(undefined, email));
    const both = devicesOf(await start(next, former));
    const device = both.recognise(cookie, email);
    expect(device).not.toBeNull();
    const renewed = cookieOf(both.remember(cookie, email));
    const alone = devicesOf(await start(next));
    expect([alone.recognise(cookie, email), alone.recognise(renewed, email)]).toEqual([null, device]);
  });

  it("allow no additional uses of a limit while one replaces another", async () => {
    const rule: LimitRule = { name: "test", most: 3, windowMs: 60_000 };
    const use = [{ rule, whom: "anna" }];
    const limitsOf = async (...secrets: Uint8Array[]) => createLimits(db, await start(...secrets));
    await (await limitsOf(former)).spend(use);
    await (await limitsOf(former, next)).spend(use);
    const both = await limitsOf(next, former);
    await both.spend(use);
    const usedUp = { code: "too_many_requests" };
    await expect(both.spend(use)).rejects.toMatchObject(usedUp);
    // Without the former key, only uses since the newer key was added count.
    const alone = await limitsOf(next);
    await alone.spend(use);
    await expect(alone.spend(use)).rejects.toMatchObject(usedUp);
    await both.clear(use);
    await both.spend(use);
  });

  it("accept only the newest code of an e-mail, with any of them as its hash key", async () => {
    const email = "anna@aqua.example";
    const caller = { ip: "192.0.2.1", device: null, userAgent: undefined };
    let time = 1_800_000_000_000;
    const mails: AccountMail[] = [];
    const codesOf = (keys: Keys) =>
      createCodes({
        ...{ db, keys, limits: { spend: async () => {} }, notifyJobs: () => {}, now: () => time },
        mailer: { deliver: async (_id, { content }) => void mails.push(content) },
      });
    const [behind, ahead] = [codesOf(await start(former)), codesOf(await start(next, former))];
    const both = codesOf(await start(former, next));
    const send = async (codes: typeof both) => {
      const { resend_in } = await codes.send({ email, purpose: "register", language: undefined }, caller);
      await workOff(db, both.handlers);
      return resend_in;
    };
    await send(behind);
    time += 30_000;
    // It is too early for another code by each server's clock.
    expect(await send(ahead)).toBe(30);
    time += 30_000;
    expect(await send(ahead)).toBe(60);
    time += 60_000;
    expect(await send(both)).toBe(60);
    const [first, second, third] = mails.map((mail) => ("code" in mail ? mail.code : ""));
    expect([first, second, third]).toEqual(Array(3).fill(expect.stringMatching(/^\d{6}$/)));
    const verify = (codes: typeof both, code = "") => codes.verify({ email, purpose: "register", code }, caller);
    for (const old of [first, second].filter((code) => code !== third))
      await expect(verify(ahead, old)).rejects.toMatchObject({ code: "code_invalid" });
    const ticket = await verify(ahead, third);
    await expect(verify(both, third)).rejects.toMatchObject({ code: "code_invalid" });
    await db.transaction((tx) => both.useTicket(tx, { email, purpose: "register", ticket }));
    await expect(ahead.checkTicket(db.orm, { email, purpose: "register", ticket })).rejects.toMatchObject({
      code: "code_expired",
    });
  });

  it("record a deletion, so that no backup from the time of any key restores the account", async () => {
    const folder = await dataFolder();
    const deletedWith = (keys: Keys) =>
      createDeletedAccounts({
        db,
        keys,
        writer: createLogWriter(keys),
        list: deletionList({ dataDir: folder, deletionsUrl: null }),
      });
    const [gone, stays] = [await openAccount(db), await openAccount(db)];
    await start(former);
    await start(next, former);
    const deleted = deletedWith(await start(next));
    await deleted.note(db.orm, gone.id);
    await workOff(db, deleted.handlers);
    expect(await deletedWith(createKeys(former)).apply(async () => {})).toBe(1);
    expect((await db.orm.select().from(account)).map(({ id }) => id)).toEqual([stays.id]);
  });

  it("encrypt all values of other keys again, row by row from where a server ended, except those that none decrypts", async () => {
    const before = await start(former);
    const ids = [await addTotp(before), await addTotp(before, unnamed), await addTotp(before)];
    const lost = await addTotp(createKeys(stranger));
    await enqueue(db.orm, { kind: "test.mail", payload: sealPayload(before, "test.mail", { to: "anna" }) });
    await enqueue(db.orm, { kind: "test.plain", payload: { plain: true } });
    const after = await start(next, former);
    const logged: { level: string; fields: object; message: string }[] = [];
    const logAs = (level: string) => (fields: object, message: string) => void logged.push({ level, fields, message });
    const log = { info: logAs("info"), warn: logAs("warn") };
    const stopping = new AbortController();
    const transaction: Database["transaction"] = async (work, isolation) => {
      const done = await db.transaction(work, isolation);
      stopping.abort(new Error("the server stops"));
      return done;
    };
    const bearing = async () => {
      const rows = await db.orm.select().from(accountTotp);
      return rows.filter(({ secret }) => keyIdOf(next).equals(secret.subarray(0, KEY_ID_BYTES))).length;
    };
    const stopped = createSealing({ db: { orm: db.orm, transaction }, keys: after, columns, log });
    await stopped.start?.();
    await expect(
      workOff(db, {
        ...stopped.jobs,
        "keys.seal": (payload, context) =>
          stopped.jobs?.["keys.seal"]?.(payload, { ...context, signal: stopping.signal }) ?? Promise.resolve(),
      }),
    ).rejects.toThrow("the server stops");
    expect(await bearing()).toBeLessThan(ids.length);

    await db.orm.update(job).set({ leaseUntil: null });
    const sealing = createSealing({ db, keys: after, columns, log });
    expect(await workOff(db, sealing.jobs ?? {})).toBe(1);
    expect(await bearing()).toBe(ids.length);
    const alone = createKeys(next);
    for (const id of ids)
      expect(Buffer.from(alone.open("factor", await totpOf(id), `totp ${id}`)).toString()).toBe(`of ${id}`);
    expect(Buffer.from(createKeys(stranger).open("factor", await totpOf(lost), `totp ${lost}`)).toString()).toBe(
      `of ${lost}`,
    );
    const payloads = (await db.orm.select().from(job).orderBy(job.id)).map(
      ({ payload }) => payload as { sealed?: string },
    );
    expect(payloads).toHaveLength(2);
    expect(alone.open("job", Buffer.from(payloads[0]?.sealed ?? "", "base64"), "test.mail")).toEqual(
      text('{"to":"anna"}'),
    );
    expect(payloads[1]).toEqual({ plain: true });
    expect(logged.at(-1)).toMatchObject({ level: "warn", fields: { unopened: 1 } });

    await db.orm.delete(accountTotp).where(eq(accountTotp.accountId, lost));
    await sealing.start?.();
    expect(logged.at(-1)).toMatchObject({ level: "info", message: "nothing is sealed with a former key" });
    expect(await workOff(db, sealing.jobs ?? {})).toBe(0);
  });

  it("encrypt nothing again with a key that was replaced meanwhile", async () => {
    const behind = await start(former);
    const ahead = await start(next, former);
    const id = await addTotp(ahead);
    const { jobs } = createSealing({ db, keys: behind, columns, log: { info: () => {}, warn: () => {} } });
    await enqueue(db.orm, { kind: "keys.seal", payload: {} });
    await expect(workOff(db, jobs ?? {})).rejects.toMatchObject({ name: "RetryLater" });
    expect(Buffer.from(ahead.open("factor", await totpOf(id), `totp ${id}`)).toString()).toBe(`of ${id}`);
  });
});
