import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { account, accountEvent, accountSession } from "../../src/account/schema.ts";
import { deleteOldEvents, EVENTS_MS } from "../../src/account/securityEvents.ts";
import { totpCode, totpPeriod } from "../../src/account/totp.ts";
import type { Database } from "../../src/db/database.ts";
import { withDatabase } from "../support/databases.ts";
import { bytesOf } from "./authenticator.ts";
import { type AccountWorld, openAccounts, PASSWORD } from "./world.ts";

const OTHER = "a lamp in the harbour";

it("codes of an authenticator app are those of RFC 6238", () => {
  const secret = Buffer.from("12345678901234567890");
  expect(totpCode(secret, totpPeriod(59_000))).toBe("287082");
  expect(totpCode(secret, totpPeriod(1_111_111_109_000))).toBe("081804");
  expect(totpCode(secret, totpPeriod(20_000_000_000_000))).toBe("353130");
});

withDatabase("a session", (open) => {
  let db: Database;
  let world: AccountWorld;
  beforeAll(async () => {
    db = await open();
    world = await openAccounts(db, { perAddress: 4_000 });
  });
  afterAll(() => world.close());

  let people = 0;
  const someone = () => `owner${++people}@aqua.example`;
  /** Makes every proof of the account's sessions too old. */
  const later = () => db.orm.update(accountSession).set({ confirmedTime: 0 });
  const subjectsTo = async (email: string) => (await world.mailsTo(email)).map(({ subject }) => subject);
  const kinds = async (token: string) =>
    (await world.get("events", token)).json().data.items.map(({ kind }: { kind: string }) => kind);
  /** The call, and its answer once the session is confirmed. */
  const guarded: [name: string, call: (token: string) => Promise<{ statusCode: number; json(): unknown }>][] = [
    ["the download", (token) => world.get("export", token)],
    ["another password", (token) => world.post("change-password", { password: OTHER }, token)],
    ["a code to another address", (token) => world.post("change-email/code", { email: "x@aqua.example" }, token)],
    ["another address", (token) => world.post("change-email", { email: "x@aqua.example", code: "000000" }, token)],
    ["a new passkey", (token) => world.post("passkeys/new", {}, token)],
    ["storing a passkey", (token) => world.post("passkeys/add", { name: "Key", passkey: { id: "x" } }, token)],
    ["an authenticator app", (token) => world.post("totp/new", {}, token)],
    ["its first code", (token) => world.post("totp/add", { code: "000000" }, token)],
    ["removing a factor", (token) => world.post("factors/remove", { id: "totp" }, token)],
    ["new recovery codes", (token) => world.post("recovery-codes", {}, token)],
  ];

  it.each(guarded)("is not enough for %s", async (_, call) => {
    const { token } = await world.register(someone());
    const fresh = (await call(token)).json() as { error_code?: string };
    expect(fresh.error_code).not.toBe("confirmation_required");
    await later();
    const response = await call(token);
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ error_code: "confirmation_required" });
  });

  it("confirms nothing with a wrong password, and five tries are mailed to the owner", async () => {
    const email = someone();
    const { token } = await world.register(email);
    await later();
    for (let tries = 0; tries < 5; tries += 1) {
      const wrong = await world.post("confirm", { password: "not the password" }, token);
      expect(wrong.json()).toMatchObject({ error_code: "login_failed" });
    }
    expect((await world.get("export", token)).statusCode).toBe(403);
    const mails = await world.mailsTo(email);
    const mail = mails.find(({ subject }) => subject === "Failed attempts to log in to your Aqua account");
    expect(mail?.text).toContain("5 attempts within an hour failed");
    expect(mail?.text).toContain("network 203.0.113.x");
    expect((await kinds(token)).filter((kind: string) => kind === "confirm_failed")).toHaveLength(5);
  });

  it("changes something once per Idempotency-Key, and a repeated call gets the same answer", async () => {
    const email = someone();
    const next = someone();
    const { token } = await world.register(email);
    const codeTo = async (to: string) => /^ {4}(\d{6})$/m.exec((await world.mailsTo(to))[0]?.text ?? "")?.[1] ?? "";
    const twice = async (path: string, body: object) => {
      const key = `a-key-of-${path}`;
      const answers = [await world.post(path, body, token, { key }), await world.post(path, body, token, { key })];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
      expect(answers[0]?.json()).toEqual(answers[1]?.json());
      return answers[1]?.json().data;
    };
    await later();
    await world.post("confirm/code", {}, token);
    await twice("confirm", { code: await codeTo(email) });
    await world.post("change-email/code", { email: next }, token);
    await twice("change-email", { email: next, code: await codeTo(next) });
    const { secret } = (await world.post("totp/new", {}, token)).json().data;
    const { codes } = await twice("totp/add", { code: totpCode(bytesOf(secret), totpPeriod(Date.now())) });
    expect(codes).toHaveLength(8);
    expect(await kinds(token)).toEqual(["totp_added", "email_changed", "registered"]);
    // The same idempotency key in another session is a different key.
    const { token: other } = await world.register(someone());
    const foreign = await world.post("totp/add", { code: "000000" }, other, { key: "a-key-of-totp/add" });
    expect(foreign.statusCode).not.toBe(200);
  });

  it("is confirmed with the password, for five minutes and for this session only", async () => {
    const email = someone();
    const { token } = await world.register(email);
    const { token: other } = (await world.post("login", { email, password: PASSWORD })).json().data;
    await later();
    const until = (await world.post("confirm", { password: PASSWORD }, token)).json().data.confirmed_until;
    expect(until - Date.now()).toBeGreaterThan(290_000);
    expect((await world.get("security", token)).json().data).toMatchObject({ confirmed_until: until });
    expect((await world.get("security", other)).json().data).toMatchObject({ confirmed_until: null });
    expect((await world.get("export", other)).statusCode).toBe(403);
    expect((await world.get("export", token)).statusCode).toBe(200);
    expect(await subjectsTo(email)).toContain("Your Aqua data was downloaded");
    expect(await kinds(token)).toContain("exported");
  });

  it("is confirmed with a mailed code, once", async () => {
    const email = someone();
    const { token } = await world.register(email);
    await later();
    expect((await world.post("confirm/code", {}, token)).json().data).toEqual({ expires_in: 600, resend_in: 60 });
    const [mail] = await world.mailsTo(email);
    expect(mail?.subject).toBe("Your code to confirm a change at Aqua");
    const code = /^ {4}(\d{6})$/m.exec(mail?.text ?? "")?.[1];
    const wrong = code === "000000" ? "000001" : "000000";
    expect((await world.post("confirm", { code: wrong }, token)).json()).toMatchObject({ error_code: "code_invalid" });
    expect((await world.post("confirm", { code }, token)).statusCode).toBe(200);
    await later();
    expect((await world.post("confirm", { code }, token)).json()).toMatchObject({ error_code: "code_invalid" });
  });

  it("with the mailbox, as on a stolen phone, confirms only for an account without a second factor, and the owner gets mails", async () => {
    const email = someone();
    const { token } = await world.register(email);
    await later();
    await world.post("confirm/code", {}, token);
    const code = /^ {4}(\d{6})$/m.exec((await world.mailsTo(email))[0]?.text ?? "")?.[1];
    expect((await world.post("confirm", { code }, token)).statusCode).toBe(200);
    // Changes by the thief are now mailed, and with a second factor this proof does not count at all.
    expect((await world.post("change-password", { password: OTHER }, token)).statusCode).toBe(200);
    expect(await subjectsTo(email)).toContain("Your Aqua password was changed");
    const key = bytesOf((await world.post("totp/new", {}, token)).json().data.secret);
    await world.post("totp/add", { code: totpCode(key, totpPeriod(Date.now())) }, token);
    await later();
    expect((await world.post("confirm/code", {}, token)).json()).toMatchObject({
      error_code: "second_factor_required",
    });
    for (const [, call] of guarded) expect((await call(token)).statusCode).toBe(403);
  });

  it("changes the password only after a confirmation, which ends all other sessions and is mailed", async () => {
    const email = someone();
    const { token } = await world.register(email);
    const { token: other } = (await world.post("login", { email, password: PASSWORD })).json().data;
    expect((await world.post("change-password", { password: "12345678" }, token)).json()).toMatchObject({
      error_code: "validation_error",
    });
    expect((await world.post("change-password", { password: OTHER }, token)).statusCode).toBe(200);
    expect((await world.get("info", token)).statusCode).toBe(200);
    expect((await world.get("info", other)).json()).toMatchObject({ error_code: "token_error" });
    expect((await world.post("login", { email, password: PASSWORD })).statusCode).toBe(401);
    expect((await world.post("login", { email, password: OTHER })).statusCode).toBe(200);
    expect(await subjectsTo(email)).toContain("Your Aqua password was changed");
  });

  it("changes the e-mail only with a code of the new mailbox, and the former mailbox gets a mail", async () => {
    const email = someone();
    const next = someone();
    const { token } = await world.register(email);
    await world.post("change-email/code", { email: next }, token);
    const code = /^ {4}(\d{6})$/m.exec((await world.mailsTo(next))[0]?.text ?? "")?.[1] ?? "";
    const wrong = code === "000000" ? "000001" : "000000";
    expect((await world.post("change-email", { email: next, code: wrong }, token)).statusCode).toBe(400);
    expect((await world.post("change-email", { email: next, code }, token)).json().data).toEqual({ email: next });
    expect((await world.get("info", token)).json().data.email).toBe(next);
    expect((await world.post("login", { email, password: PASSWORD })).statusCode).toBe(401);
    const mail = (await world.mailsTo(email)).find(({ subject }) => subject.includes("address of your Aqua account"));
    expect(mail?.text).toContain(`Your account now uses ${next}`);
  });

  it("does not change the e-mail to one that has an account", async () => {
    const taken = someone();
    await world.register(taken);
    const { token } = await world.register(someone());
    await world.post("change-email/code", { email: taken }, token);
    const [mail] = await world.mailsTo(taken);
    expect(mail?.subject).toBe("You already have an Aqua account");
    expect(mail?.text).not.toMatch(/^ {4}\d{6}$/m);
  });

  it("SecurityService answers conflict if another account takes the e-mail at the same moment", async () => {
    const next = someone();
    const { token } = await world.register(someone());
    await world.post("change-email/code", { email: next }, token);
    const code = /^ {4}(\d{6})$/m.exec((await world.mailsTo(next))[0]?.text ?? "")?.[1] ?? "";
    let change: ReturnType<typeof world.post> | undefined;
    await db.transaction(async (tx) => {
      await tx.insert(account).values({
        ...{ id: randomUUID(), email: next, subject: `0x${randomBytes(16).toString("hex")}`, passwordHash: "none" },
        ...{ country: "FR", language: "en-US", createTime: Date.now() },
      });
      change = world.post("change-email", { email: next, code }, token);
      const waiting = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'update "account"%'`;
      await expect.poll(async () => (await db.orm.execute(waiting)).rows.length).toBe(1);
    });
    const response = await change;
    expect([response?.statusCode, response?.json().error_code]).toEqual([409, "conflict"]);
  });

  it("lists log-ins with device and place, and a log-in from an unknown device is mailed", async () => {
    const email = someone();
    await world.register(email);
    const response = await world.post("login", { email, password: PASSWORD }, undefined, { ip: "198.51.100.9" });
    const { token } = response.json().data;
    const cookie = String(response.headers["set-cookie"]).split(";", 1)[0] ?? "";
    const mails = async () =>
      (await world.mailsTo(email)).filter(({ subject }) => subject === "New log-in to your Aqua account");
    expect((await mails())[0]?.text).toContain("network 198.51.100.x");
    await world.post("login", { email, password: PASSWORD }, undefined, { cookie });
    expect(await mails()).toHaveLength(1);
    expect((await world.get("sessions", token)).json().data[1]).toMatchObject({ place: "198.51.100.x" });
    const events = (await world.get("events?page_size=2", token)).json().data;
    expect(events).toMatchObject({ total: 3, page: 1, page_size: 2 });
    expect(events.items[1]).toMatchObject({ kind: "log_in", place: "198.51.100.x" });
  });

  it("lists events of the last year only", async () => {
    const { token } = await world.register(someone());
    const { accountId } = (await db.orm.select().from(accountEvent))[0] ?? { accountId: "" };
    const before = (await db.orm.select().from(accountEvent)).length;
    const old = { accountId, kind: "log_in", userAgent: null, place: null, detail: null } as const;
    await db.orm.insert(accountEvent).values([
      { ...old, id: "young", time: Date.now() - EVENTS_MS + 60_000 },
      { ...old, id: "old", time: Date.now() - EVENTS_MS - 1 },
    ]);
    await deleteOldEvents(db.orm);
    expect(await db.orm.select().from(accountEvent)).toHaveLength(before + 1);
    expect(await kinds(token)).toEqual(["registered"]);
  });

  it("cannot confirm with the password alone or the mailbox alone if the account has an authenticator app", async () => {
    const email = someone();
    const { token } = await world.register(email);
    const { secret, uri } = (await world.post("totp/new", {}, token)).json().data;
    expect(uri).toContain(`secret=${secret}`);
    const key = bytesOf(secret);
    const codeAt = (shift: number) => totpCode(key, totpPeriod(Date.now()) + shift);
    // A new authenticator protects nothing before its first code.
    expect((await world.post("login", { email, password: PASSWORD })).statusCode).toBe(200);
    expect((await world.post("totp/add", { code: "000000" }, token)).json()).toMatchObject({
      error_code: "code_invalid",
    });
    const { codes } = (await world.post("totp/add", { code: codeAt(-1) }, token)).json().data;
    expect(codes).toHaveLength(8);
    expect(await subjectsTo(email)).toContain("A new way to confirm was added to your Aqua account");

    // The password alone does not log in.
    const alone = await world.post("login", { email, password: PASSWORD });
    expect(alone.statusCode).toBe(403);
    expect(alone.json()).toMatchObject({ error_code: "second_factor_required" });
    expect(await subjectsTo(email)).toContain("Your Aqua password was entered on a new device");
    await later();
    expect((await world.post("confirm", { password: PASSWORD }, token)).json()).toMatchObject({
      error_code: "second_factor_required",
    });

    // The mailbox alone can set a password, but cannot log in.
    expect((await world.post("confirm/code", {}, token)).json()).toMatchObject({
      error_code: "second_factor_required",
    });
    const ticket = await world.ticketFor(email, "reset_password");
    expect((await world.post("reset-password", { email, ticket, password: OTHER })).statusCode).toBe(200);
    expect((await world.post("login", { email, password: OTHER })).json()).toMatchObject({
      error_code: "second_factor_required",
    });

    // Password and code log in, and a code works once.
    const totp = codeAt(0);
    const right = await world.post("login", { email, password: OTHER, factor: { totp } });
    expect(right.statusCode).toBe(200);
    expect((await world.post("login", { email, password: OTHER, factor: { totp } })).json()).toMatchObject({
      error_code: "code_invalid",
    });

    // A recovery code replaces a lost authenticator.
    const recovered = await world.post("login", { email, password: OTHER, factor: { recovery: codes[0] } });
    const fresh = recovered.json().data.token;
    expect(await subjectsTo(email)).toContain("A recovery code of your Aqua account was used");
    expect((await world.post("login", { email, password: OTHER, factor: { recovery: codes[0] } })).statusCode).toBe(
      400,
    );
    expect((await world.get("security", fresh)).json().data).toMatchObject({
      second_factor: true,
      recovery_codes: 7,
      totp: { id: "totp" },
    });
    expect((await world.post("factors/remove", { id: "totp" }, fresh)).statusCode).toBe(200);
    expect((await world.get("security", fresh)).json().data).toMatchObject({ second_factor: false, recovery_codes: 0 });
    expect((await world.post("login", { email, password: OTHER })).statusCode).toBe(200);
    expect(await subjectsTo(email)).toContain("A way to confirm was removed from your Aqua account");
  });

  it("cannot delete an account that has a second factor with the password alone", async () => {
    const email = someone();
    const { token } = await world.register(email);
    const key = bytesOf((await world.post("totp/new", {}, token)).json().data.secret);
    await world.post("totp/add", { code: totpCode(key, totpPeriod(Date.now())) }, token);
    await later();
    expect((await world.post("delete", { password: PASSWORD }, token)).json()).toMatchObject({
      error_code: "confirmation_required",
    });
    const totp = totpCode(key, totpPeriod(Date.now()) + 1);
    expect((await world.post("confirm", { factor: { totp } }, token)).statusCode).toBe(200);
    expect((await world.post("delete", { password: PASSWORD }, token)).statusCode).toBe(200);
  });
});
