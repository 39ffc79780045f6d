import { accountInfo, codeSent, session } from "@aqua/sdk/api/auth";
import { hash } from "@node-rs/argon2";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { account, accountSession, emailCode, emailTicket } from "../../src/account/schema.ts";
import type { Database } from "../../src/db/database.ts";
import { job } from "../../src/jobs/schema.ts";
import { mailOutbox } from "../../src/mail/schema.ts";
import { accountWallet } from "../../src/records/schema.ts";
import { setCurrentWallet } from "../../src/records/store.ts";
import { stateAccount } from "../support/accounts.ts";
import { withDatabase } from "../support/databases.ts";
import { type AccountWorld, openAccounts, PASSWORD } from "./world.ts";

const OTHER = "wind along the shore";

withDatabase("an account", (open) => {
  let db: Database;
  let world: AccountWorld;
  const deleted: string[] = [];
  beforeAll(async () => {
    db = await open();
    const beforeDelete = async (_tx: unknown, accountId: string) => void deleted.push(accountId);
    world = await openAccounts(db, { beforeDelete });
  });
  afterAll(() => world.close());

  let people = 0;
  const someone = () => `person${++people}@aqua.example`;
  const login = (email: string, password: string) => world.post("login", { email, password });

  it("is created with a code from the mail, is logged in at once, and logs in again in any letter case", async () => {
    const sent = await world.post("send-verification-code", {
      email: "  Anna@Aqua.Example ",
      purpose: "register",
      language: "fr-FR",
    });
    expect(codeSent.parse(sent.json().data)).toEqual({ expires_in: 600, resend_in: 60 });
    const [mail] = await world.mailsTo("anna@aqua.example");
    expect(mail?.subject).toBe("Votre code d’inscription à Aqua");
    const code = /\b\d{6}\b/.exec(mail?.text ?? "")?.[0];
    const email = "anna@aqua.example";
    const verified = await world.post("verify-email", { email, code, purpose: "register" });
    const { ticket } = verified.json().data;
    const body = { email: "ANNA@aqua.example", password: PASSWORD, ticket, country: "fr", language: "fr-FR" };
    const { token } = session.parse((await world.post("register", body)).json().data);

    const info = await world.get("info", token);
    expect(info.headers["cache-control"]).toBe("no-store");
    expect(accountInfo.parse(info.json().data)).toMatchObject({
      email,
      country: "FR",
      language: "fr-FR",
      identity_status: "unverified",
      wallets: [],
    });
    const again = await login(" Anna@aqua.EXAMPLE", PASSWORD);
    expect(again.json().data).toEqual({ token: expect.stringMatching(/^[\w-]{43}\.[\da-f]{64}$/), email });
    expect(again.headers["cache-control"]).toBe("no-store");
    expect((await login(email, `${PASSWORD}x`)).json()).toMatchObject({ error_code: "login_failed" });
  });

  it("is not created without a ticket, or with one that is used or is for another e-mail or purpose", async () => {
    const [email, other] = [someone(), someone()];
    const ticket = await world.ticketFor(email, "register");
    const body = { email, password: PASSWORD, ticket, country: "FR" };
    const refused = async (change: object) => (await world.post("register", { ...body, ...change })).json().error_code;
    expect(await refused({ ticket: "x".repeat(43) })).toBe("code_expired");
    expect(await refused({ email: other })).toBe("code_expired");
    expect(await refused({ password: "password1" })).toBe("validation_error");
    expect(await refused({ country: "XX" })).toBe("validation_error");
    expect((await world.post("register", body)).statusCode).toBe(200);
    expect(await refused({})).toBe("code_expired");
    const reset = await world.ticketFor(email, "reset_password");
    expect(await refused({ ticket: reset })).toBe("code_expired");
  });

  it.each(["123 456", "123-456", " 123456 ", "１２３４５６"])(
    "accepts a code with spaces or other digits: %j",
    async (shape) => {
      const email = someone();
      const code = await world.codeFor(email, "register");
      const digits = [...code];
      const wide = (digit: string) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0);
      const typed = shape.startsWith("１")
        ? digits.map(wide).join("")
        : shape.replace("123", digits.slice(0, 3).join("")).replace("456", digits.slice(3).join(""));
      const answer = await world.post("verify-email", { email, purpose: "register", code: typed });
      expect(answer.json().data.ticket).toEqual(expect.any(String));
    },
  );

  it("is created once if two visitors register with the same e-mail at the same instant", async () => {
    const email = someone();
    const body = { email, password: PASSWORD, ticket: await world.ticketFor(email, "register"), country: "FR" };
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.post("register", body)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) {
      expect(["conflict", "code_expired"]).toContain(answer.json().error_code);
    }
    expect(await db.orm.select().from(account).where(eq(account.email, email))).toHaveLength(1);
  });

  it("is created once for one Idempotency-Key sent 50 times at once, and all calls get the same answer", async () => {
    const email = someone();
    const body = { email, password: PASSWORD, ticket: await world.ticketFor(email, "register"), country: "FR" };
    const key = "0d8c6b1e-one-registration";
    const register = (change = {}) => world.post("register", { ...body, ...change }, undefined, { key });
    const answers = await Promise.all(Array.from({ length: 50 }, () => register()));
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    const { token } = answers[0]?.json().data ?? {};
    expect((await world.get("info", token)).json().data).toMatchObject({ email });
    expect(await db.orm.select().from(account).where(eq(account.email, email))).toHaveLength(1);
    expect((await register({ country: "DE" })).json()).toMatchObject({ error_code: "conflict" });
    expect((await world.get("sessions", token)).json().data).toHaveLength(1);
  });

  it("sends its owner a mail with a link and no code if its e-mail is registered again", async () => {
    const { email } = await world.register(someone());
    await db.orm.delete(mailOutbox);
    await world.post("send-verification-code", { email, purpose: "register" });
    const mails = await world.mailsTo(email);
    expect(mails.map(({ subject }) => subject)).toEqual(["You already have an Aqua account"]);
    expect(mails[0]?.text).toContain("https://aqua.example/sign-in");
    expect(mails[0]?.text).not.toMatch(/\b\d{6}\b/);
  });

  it("sends no mail if someone requests a new password and the account does not exist", async () => {
    const email = someone();
    const known = (await world.register(someone())).email;
    const [one, two] = [
      await world.post("forget-password", { email }),
      await world.post("forget-password", { email: known }),
    ];
    expect(one.json()).toEqual(two.json());
    expect(await world.mailsTo(email)).toEqual([]);
    expect((await world.mailsTo(known))[0]?.subject).toBe("Your code for a new Aqua password");
  });

  it("gets a new password with a code, which ends every session and is mailed to the owner", async () => {
    const { email, token } = await world.register(someone());
    const { id } = (await db.orm.select().from(account).where(eq(account.email, email)))[0] ?? { id: "" };
    const owned = { address: `0x${"a".repeat(40)}`, accountId: id, createTime: 1, message: "", chainId: 1 } as const;
    await setCurrentWallet(db.orm, { ...owned, signature: "0x" });
    await stateAccount(db, id);
    const ticket = await world.ticketFor(email, "reset_password");
    const weak = await world.post("reset-password", { email, ticket, password: email });
    expect(weak.json()).toMatchObject({ error_code: "validation_error", details: [{ path: "password" }] });
    const reset = await world.post("reset-password", { email, ticket, password: OTHER });
    const shown = "0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa";
    expect(reset.json().data).toMatchObject({ wallets: [{ address: shown, current: true }] });
    expect((await world.get("info", token)).json()).toMatchObject({ error_code: "token_error" });
    expect((await login(email, PASSWORD)).statusCode).toBe(401);
    expect((await login(email, OTHER)).statusCode).toBe(200);
    const mail = (await world.mailsTo(email)).find(({ subject }) => subject === "Your Aqua password was changed");
    expect(mail?.text).toContain(`The wallet ${shown} can still log in to your account.`);
    const again = await world.post("reset-password", { email, ticket, password: PASSWORD });
    expect(again.json()).toMatchObject({ error_code: "code_expired" });
  });

  it("gets one ticket and one new password for any number of calls with one Idempotency-Key each", async () => {
    const { email } = await world.register(someone());
    const twice = async (path: string, body: object) => {
      const answers = [];
      for (let n = 0; n < 2; n += 1)
        answers.push(await world.post(path, body, undefined, { key: `key of ${path}`.replaceAll(" ", "-") }));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
      expect(answers[0]?.json()).toEqual(answers[1]?.json());
      return answers[1]?.json().data;
    };
    const code = await world.codeFor(email, "reset_password");
    const { ticket } = await twice("verify-email", { email, purpose: "reset_password", code });
    await twice("reset-password", { email, ticket, password: OTHER });
    expect((await login(email, OTHER)).statusCode).toBe(200);
    const subjects = (await world.mailsTo(email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === "Your Aqua password was changed")).toHaveLength(1);
  });

  it("gets a new hash at the next log-in if its hash was made at another cost", async () => {
    const { email } = await world.register(someone());
    const old = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 2, parallelism: 1 });
    const update = db.orm.update(account).set({ passwordHash: old }).where(eq(account.email, email));
    const [changed] = await update.returning({ id: account.id });
    await stateAccount(db, changed?.id ?? "");
    expect((await login(email, PASSWORD)).statusCode).toBe(200);
    const [row] = await db.orm.select().from(account).where(eq(account.email, email));
    expect(row?.passwordHash).toContain("$m=19456,t=2,p=1$");
    expect((await login(email, PASSWORD)).statusCode).toBe(200);
  });

  it("logs out at once, and only a session can be logged out", async () => {
    const { token } = await world.register(someone());
    expect((await world.post("logout", undefined, token)).json()).toEqual({ data: {} });
    expect((await world.get("info", token)).json()).toMatchObject({ error_code: "token_error" });
    for (const dead of [token, "x", undefined]) {
      const refused = await world.post("logout", {}, dead);
      expect([refused.statusCode, refused.json().error_code]).toEqual([400, "logout_error"]);
    }
  });

  it("lists its sessions and ends one of them or all the others", async () => {
    const { email, token } = await world.register(someone());
    const [second, third] = [await login(email, PASSWORD), await login(email, PASSWORD)].map(
      (response) => response.json().data.token,
    );
    const listed = (await world.get("sessions", token)).json().data;
    expect(listed).toHaveLength(3);
    const own = (await world.get("sessions", second)).json().data.find((one: { current: boolean }) => one.current);
    expect((await world.post("sessions/end", { id: own.id }, token)).statusCode).toBe(200);
    expect((await world.get("info", second)).statusCode).toBe(401);
    expect((await world.post("sessions/end", { id: own.id }, token)).json().error_code).toBe("not_found");
    expect((await world.post("sessions/end", {}, token)).statusCode).toBe(200);
    expect([(await world.get("info", third)).statusCode, (await world.get("info", token)).statusCode]).toEqual([
      401, 200,
    ]);
  });

  it("exports everything stored about it as a file", async () => {
    const { email, token } = await world.register(someone());
    const response = await world.get("export", token);
    expect(response.headers["content-disposition"]).toBe('attachment; filename="aqua-account.json"');
    const file = response.json();
    expect(file).toMatchObject({
      account: { email, country: "FR" },
      wallets: [],
      identity: [],
      mails: [{ to: email }],
    });
    expect(file.sessions).toHaveLength(1);
    expect(response.body).not.toContain("argon2");
    expect(response.body).not.toContain(token);
  });

  it("is deleted with its password, and so are its log-ins, wallets, codes and mails", async () => {
    const { email, token } = await world.register(someone());
    const [row] = await db.orm.select().from(account).where(eq(account.email, email));
    const accountId = row?.id ?? "";
    await db.orm.insert(accountWallet).values({
      address: `0x${"5".repeat(40)}`,
      accountId,
      createTime: 1,
      current: true,
      message: "",
      signature: "0x",
      chainId: 1,
    });
    await stateAccount(db, accountId);
    const wrong = await world.post("delete", { password: OTHER }, token);
    expect([wrong.statusCode, wrong.json().error_code]).toEqual([401, "login_failed"]);
    expect((await world.get("info", token)).statusCode).toBe(200);
    expect((await world.post("delete", { password: PASSWORD }, token)).json()).toEqual({ data: {} });
    expect(deleted).toEqual([accountId]);
    expect((await world.get("info", token)).json().error_code).toBe("token_error");
    expect((await login(email, PASSWORD)).json().error_code).toBe("login_failed");
    for (const left of [
      db.orm.select().from(account).where(eq(account.email, email)),
      db.orm.select().from(accountSession).where(eq(accountSession.accountId, accountId)),
      db.orm.select().from(accountWallet).where(eq(accountWallet.accountId, accountId)),
      db.orm.select().from(mailOutbox).where(eq(mailOutbox.recipient, email)),
    ]) {
      expect(await left).toEqual([]);
    }
    expect((await world.register(email)).email).toBe(email);
  });

  it("leaves nothing in the database with which someone could log in or register", async () => {
    const email = someone();
    await world.post("send-verification-code", { email, purpose: "register" });
    const waiting = JSON.stringify(await db.orm.select().from(job));
    expect(waiting).toContain("sealed");
    expect(waiting).not.toContain(email);
    const code = /\b\d{6}\b/.exec((await world.mailsTo(email))[0]?.text ?? "")?.[0] ?? "none";
    const codes = JSON.stringify(await db.orm.select().from(emailCode));
    expect(codes).not.toContain(email);
    expect(codes).not.toContain(`"${code}"`);
    const { ticket } = (await world.post("verify-email", { email, code, purpose: "register" })).json().data;
    expect(JSON.stringify(await db.orm.select().from(emailTicket))).not.toContain(ticket);
    expect(await db.orm.select().from(job)).toEqual([]);
  });

  it("is never named in the log, which has no e-mail, password, code or token", async () => {
    const { email, token } = await world.register(someone());
    await login(email, "not the password");
    await world.post("login", { email: "nothing", password: PASSWORD });
    const log = world.logged.join("\n");
    expect(log).toContain("/account/register");
    for (const secret of ["aqua.example", PASSWORD, "not the password", token]) expect(log).not.toContain(secret);
  });
});
