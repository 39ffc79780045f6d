import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { createFactors, factorState } from "../../src/account/factors.ts";
import { createPasskeys } from "../../src/account/passkeys.ts";
import { accountEvent, accountTotp } from "../../src/account/schema.ts";
import { createSecurityService } from "../../src/account/security.ts";
import { createSessions } from "../../src/account/sessions.ts";
import { type Account, findById } from "../../src/account/store.ts";
import { newTotpSecret, totpCode, totpPeriod } from "../../src/account/totp.ts";
import type { Database } from "../../src/db/database.ts";
import { createKeys } from "../../src/keys.ts";
import { createLimits } from "../../src/limits/limits.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { openAccount } from "../support/accounts.ts";
import { withDatabase } from "../support/databases.ts";
import { bytesOf, softwarePasskey } from "./authenticator.ts";

const publicUrl = "https://aqua.example";

withDatabase("a second factor", (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  const keys = createKeys(new Uint8Array(32).fill(7));
  const caller = { ip: "192.0.2.1", device: "known", userAgent: undefined };
  const codeOf = (error: { code: string }) => error.code;

  /** An account with the calls for its factors. `broken.mail`: enqueuing a mail fails. */
  async function owner() {
    const broken = { mail: false };
    const limits = createLimits(db, keys);
    const sessions = createSessions(db, keys);
    const passkeys = createPasskeys({ db, publicUrl });
    const writer = createLogWriter(keys);
    const factors = createFactors({ db, keys, limits, passkeys, publicUrl, writer });
    const security = createSecurityService({
      ...{ db, limits, factors, passkeys, sessions, writer, notifyJobs: () => {} },
      failures: { note: async () => {} },
      mailer: {
        enqueue: async () => {
          if (broken.mail) throw new Error("the process ends here");
        },
      },
    } as never);
    const { id, authorization } = await openAccount(db);
    const account = (await findById(db.orm, id)) as Account;
    // Each call reads its session, as a request does.
    const session = () => sessions.require(authorization);
    const setUp = async () => bytesOf((await factors.setUpTotp(account)).secret);
    const codeAt = (secret: Uint8Array, shift = 0) => totpCode(secret, totpPeriod(Date.now()) + shift);
    const addTotp = async (code: string) => security.addTotp(await session(), code, caller);
    const addPasskey = async () => {
      const { challenge } = await passkeys.registerOptions(account);
      const answer = softwarePasskey(publicUrl).register(challenge);
      return security.addPasskey(await session(), { name: "Phone", answer }, caller);
    };
    const confirm = async (factor: { totp?: string; recovery?: string }) =>
      security.confirm(await session(), { factor }, caller);
    const state = async () => {
      const { totp, passkeys: made, recoveryCodes } = await factorState(db.orm, id);
      const events = await db.orm.select().from(accountEvent).where(eq(accountEvent.accountId, id));
      return { totp: totp !== null, passkeys: made.length, recoveryCodes, events: events.map(({ kind }) => kind) };
    };
    return { id, broken, setUp, codeAt, addTotp, addPasskey, confirm, state };
  }

  it("is activated together with its recovery codes, event and mail, or not at all", async () => {
    const one = await owner();
    const secret = await one.setUp();
    one.broken.mail = true;
    await expect(one.addTotp(one.codeAt(secret))).rejects.toThrow("the process ends here");
    await expect(one.addPasskey()).rejects.toThrow("the process ends here");
    expect(await one.state()).toEqual({ totp: false, passkeys: 0, recoveryCodes: 0, events: [] });
    one.broken.mail = false;
    expect(await one.addTotp(one.codeAt(secret))).toHaveLength(8);
    expect(await one.state()).toEqual({ totp: true, passkeys: 0, recoveryCodes: 8, events: ["totp_added"] });
  });

  it("is consumed together with its event and mail, or not at all, if it is a recovery code", async () => {
    const one = await owner();
    const [recovery = ""] = await one.addTotp(one.codeAt(await one.setUp()));
    one.broken.mail = true;
    await expect(one.confirm({ recovery })).rejects.toThrow("the process ends here");
    expect(await one.state()).toMatchObject({ recoveryCodes: 8, events: ["totp_added"] });
    one.broken.mail = false;
    await one.confirm({ recovery });
    expect(await one.state()).toMatchObject({ recoveryCodes: 7 });
    expect(await one.confirm({ recovery }).catch(codeOf)).toBe("code_invalid");
  });

  it("creates one set of recovery codes when two are added at the same time", async () => {
    const one = await owner();
    const code = one.codeAt(await one.setUp());
    // A call that read its session before another one's factor was stored must be confirmed by that factor. The session
    // then is, so that the same call again is accepted.
    const add = (work: () => Promise<string[]>) =>
      work().catch((error) => (codeOf(error) === "confirmation_required" ? work() : Promise.reject(error)));
    const made = await Promise.all([
      add(() => one.addTotp(code)),
      ...Array.from({ length: 3 }, () => add(() => one.addPasskey())),
    ]);
    expect(made.map(({ length }) => length).sort()).toEqual([0, 0, 0, 8]);
    const recovery = made.find(({ length }) => length > 0)?.[0] ?? "";
    await one.confirm({ recovery });
    expect(await one.state()).toMatchObject({ totp: true, passkeys: 3, recoveryCodes: 7 });
  });

  it("spends a try with each wrong code, for activation and for confirmation", async () => {
    const one = await owner();
    const secret = await one.setUp();
    const wrong = one.codeAt(secret) === "000000" ? "000001" : "000000";
    const answers: unknown[] = [];
    for (let turn = 0; turn < 11; turn += 1) answers.push(await one.addTotp(wrong).catch(codeOf));
    expect(answers).toEqual([...Array(10).fill("code_invalid"), "too_many_requests"]);
    const other = await owner();
    await other.addTotp(other.codeAt(await other.setUp(), -1));
    answers.length = 0;
    for (let turn = 0; turn < 11; turn += 1) answers.push(await other.confirm({ recovery: "AAAA" }).catch(codeOf));
    expect(answers).toEqual([...Array(10).fill("code_invalid"), "too_many_requests"]);
  });

  it("is not activated by the code of a secret that another tab has replaced meanwhile", async () => {
    const one = await owner();
    const secret = await one.setUp();
    let answer: Promise<unknown> = Promise.resolve();
    await db.transaction(async (tx) => {
      // A write by another tab's `totp/new`, not yet committed.
      const sealed = keys.seal("factor", newTotpSecret(), `totp ${one.id}`);
      await tx.update(accountTotp).set({ secret: sealed }).where(eq(accountTotp.accountId, one.id));
      answer = one.addTotp(one.codeAt(secret)).catch(codeOf);
      const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await db.orm.execute(waiting)).rows.length).toBe(1);
    });
    expect(await answer).toBe("code_invalid");
    expect(await one.state()).toMatchObject({ totp: false, recoveryCodes: 0 });
  });
});
