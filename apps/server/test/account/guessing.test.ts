import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emailCode } from "../../src/account/schema.ts";
import type { Database } from "../../src/db/database.ts";
import { limitUse } from "../../src/limits/schema.ts";
import { withDatabase } from "../support/databases.ts";
import { type AccountWorld, openAccounts, PASSWORD } from "./world.ts";

withDatabase("guessing", (open) => {
  let db: Database;
  let world: AccountWorld;
  beforeAll(async () => {
    db = await open();
    world = await openAccounts(db, { perAddress: 40, now: () => time });
  });
  afterAll(() => world.close());

  /** Time of the limits. It stands still, so that no result depends on the speed of the tests. */
  let time = Date.now();
  let calls = 0;
  /** Returns a different address for each call. */
  const elsewhere = () => ({ ip: `198.51.${100 + Math.floor(++calls / 250)}.${calls % 250}` });
  const statuses = async (many: Promise<{ statusCode: number }>[]) => {
    const counts: Record<number, number> = {};
    for (const { statusCode } of await Promise.all(many)) counts[statusCode] = (counts[statusCode] ?? 0) + 1;
    return counts;
  };

  const cookieOf = ({ headers }: { headers: Record<string, unknown> }) =>
    String(headers["set-cookie"]).split(";", 1)[0];
  const guess = (email: string, ip: string, cookie?: string) =>
    world.post("login", { email, password: "not the password" }, undefined, {
      ip,
      ...(cookie === undefined ? {} : { cookie }),
    });

  it("ten wrong passwords from one address do not block the right password from other addresses", async () => {
    const { email } = await world.register("anna@aqua.example");
    expect(await statuses(Array.from({ length: 10 }, () => guess(email, "192.0.2.1")))).toEqual({ 401: 5, 429: 5 });
    const owner = await world.post("login", { email, password: PASSWORD }, undefined, { ip: "192.0.2.2" });
    expect(owner.statusCode).toBe(200);
    // At the same address, the wait is seconds, not a quarter of an hour.
    const same = await world.post("login", { email, password: PASSWORD }, undefined, { ip: "192.0.2.1" });
    expect(same.json()).toMatchObject({ error_code: "too_many_requests" });
    expect(same.headers["retry-after"]).toBe("15");
    time += 15_000;
    const later = await world.post("login", { email, password: PASSWORD }, undefined, { ip: "192.0.2.1" });
    expect(later.statusCode).toBe(200);
  });

  it("a browser that has logged in before can log in from an address with no tries left, whatever others tried", async () => {
    const { email } = await world.register("lea@aqua.example");
    const first = await world.post("login", { email, password: PASSWORD }, undefined, { ip: "192.0.2.3" });
    const cookie = cookieOf(first);
    const noise = await statuses(
      Array.from({ length: 110 }, (_, turn) => guess(turn % 2 ? email : `x${turn}@aqua.example`, "192.0.2.3")),
    );
    expect(noise[429]).toBeGreaterThanOrEqual(70);
    await statuses(Array.from({ length: 40 }, () => guess(email, elsewhere().ip)));
    const login = (more: object) => world.post("login", { email, password: PASSWORD }, undefined, more);
    expect((await login({ ip: "192.0.2.3" })).statusCode).toBe(429);
    expect((await login({ ip: "192.0.2.3", cookie })).statusCode).toBe(200);

    await world.close();
    world = await openAccounts(db, { perAddress: 40, now: () => time });
    expect((await login({ ip: "192.0.2.3", cookie })).statusCode).toBe(200);
  });

  it("the device cookie does not log in, is valid for one e-mail, and is slowed down separately", async () => {
    const { email } = await world.register("mia@aqua.example");
    const other = await world.register("noa@aqua.example");
    const cookie = cookieOf(await world.post("login", { email, password: PASSWORD }, undefined, elsewhere()));
    const wrong = () => guess(email, "192.0.2.4", cookie);
    expect(await statuses(Array.from({ length: 12 }, wrong))).toEqual({ 401: 10, 429: 2 });
    expect(Number((await wrong()).headers["retry-after"])).toBe(1);
    expect((await world.post("login", { email, password: PASSWORD }, undefined, elsewhere())).statusCode).toBe(200);
    // A cookie for another e-mail, or with a changed digit, counts as a stranger's.
    const forged = cookie?.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    const strangers = (ip: string, whose: string, with_?: string) =>
      statuses(Array.from({ length: 7 }, () => guess(whose, ip, with_)));
    expect(await strangers("192.0.2.5", other.email, cookie)).toEqual({ 401: 5, 429: 2 });
    expect(await strangers("192.0.2.6", email, forged)).toEqual({ 401: 5, 429: 2 });
  });

  it("the device cookie is hidden from scripts and other sites, and is deleted with the account", async () => {
    const { email } = await world.register("ida@aqua.example");
    const login = await world.post("login", { email, password: PASSWORD }, undefined, elsewhere());
    const header = String(login.headers["set-cookie"]);
    expect(header).toMatch(
      /^__Secure-aqua_device=\S+; Max-Age=31536000; Path=\/api\/v2\/account; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(header).not.toContain("ida");
    const again = await world.post("login", { email, password: PASSWORD }, undefined, {
      ...elsewhere(),
      cookie: cookieOf(login) ?? "",
    });
    const nameOf = (response: typeof login) => String(response.headers["set-cookie"]).split(".")[1];
    expect(nameOf(again)).toBe(nameOf(login));
    const gone = await world.post("delete", { password: PASSWORD }, again.json().data.token, elsewhere());
    expect(String(gone.headers["set-cookie"])).toMatch(/^__Secure-aqua_device=; Max-Age=0; /);
  });

  it("guesses from many addresses are slowed down after twenty, also if simultaneous and after a restart, and a mailed code still works", async () => {
    const { email } = await world.register("zoe@aqua.example");
    const far = () => guess(email, elsewhere().ip);
    expect(await statuses(Array.from({ length: 30 }, far))).toEqual({ 401: 20, 429: 10 });
    const right = await world.post("login", { email, password: PASSWORD }, undefined, elsewhere());
    expect(right.json()).toMatchObject({ error_code: "too_many_requests" });
    expect(Number(right.headers["retry-after"])).toBe(1);

    await world.close();
    world = await openAccounts(db, { perAddress: 40, now: () => time });
    expect(await statuses(Array.from({ length: 10 }, far))).toEqual({ 429: 10 });

    const ticket = await world.ticketFor(email, "reset_password");
    await world.post("reset-password", { email, ticket, password: "wind along the shore" }, undefined, elsewhere());
    const back = await world.post("login", { email, password: "wind along the shore" }, undefined, elsewhere());
    expect(back.statusCode).toBe(200);
  });

  it("tries for an account that does not exist are limited in the same way", async () => {
    const far = () => guess("nobody@aqua.example", elsewhere().ip);
    expect(await statuses(Array.from({ length: 25 }, far))).toEqual({ 401: 20, 429: 5 });
  });

  it("password tries for deleting an account within a session have their own limit", async () => {
    const { email, token } = await world.register("ben@aqua.example");
    await statuses(Array.from({ length: 30 }, () => guess(email, elsewhere().ip)));
    const attempt = () => world.post("delete", { password: "not the password" }, token, elsewhere());
    expect(await statuses(Array.from({ length: 12 }, attempt))).toEqual({ 401: 10, 429: 2 });
  });

  it("all sessions of an account share one device's tries, however many sessions exist", async () => {
    const { email, token } = await world.register("eva@aqua.example");
    const cookie = cookieOf(await world.post("login", { email, password: PASSWORD }, undefined, elsewhere())) ?? "";
    const more = () => world.post("login", { email, password: PASSWORD }, undefined, { ...elsewhere(), cookie });
    const tokens = [token];
    for (let turn = 0; turn < 5; turn += 1) tokens.push((await more()).json().data.token);
    const confirm = (body: object) =>
      tokens.flatMap((one) => [1, 2, 3].map(() => world.post("confirm", body, one, elsewhere())));
    expect(await statuses(confirm({ password: "not the password" }))).toEqual({ 401: 10, 429: 8 });
    time += 15 * 60_000;
    await world.post("confirm/code", {}, token);
    const code = /^ {4}(\d{6})$/m.exec((await world.mailsTo(email))[0]?.text ?? "")?.[1];
    const wrong = code === "000000" ? "111111" : "000000";
    const answers = (await Promise.all(confirm({ code: wrong }))).map((answer) => answer.json().error_code);
    expect(answers.filter((answer) => answer === "code_invalid")).toHaveLength(5);
    expect(answers.filter((answer) => answer === "code_expired")).toHaveLength(13);
  });

  it("codes that an account sends to another address count for that address like a stranger's", async () => {
    const stranger = "strange@aqua.example";
    const ask = async (token: string, ip: string) => {
      // A minute passes.
      await db.orm.update(emailCode).set({ createTime: 1 });
      return (await world.post("change-email/code", { email: stranger }, token, { ip })).statusCode;
    };
    const asked = async (token: string, ip: string) => {
      const answers: number[] = [];
      for (let turn = 0; turn < 4; turn += 1) answers.push(await ask(token, ip));
      return answers;
    };
    const { token: one } = await world.register("kim@aqua.example");
    const { token: two } = await world.register("liv@aqua.example");
    const { token: three } = await world.register("max@aqua.example");
    expect(await asked(one, "192.0.2.20")).toEqual([200, 200, 200, 429]);
    expect(await asked(two, "192.0.2.21")).toEqual([200, 200, 200, 429]);
    expect(await asked(three, "192.0.2.22")).toEqual([429, 429, 429, 429]);

    const code = /^ {4}(\d{6})$/m.exec((await world.mailsTo(stranger))[0]?.text ?? "")?.[1];
    const body = { email: stranger, code: code === "000000" ? "111111" : "000000" };
    const guessed = async (token: string) =>
      (await world.post("change-email", body, token, { ip: "192.0.2.23" })).json().error_code;
    const answers: string[] = [];
    for (const token of [one, one, one, one, one, two, two, two, two]) answers.push(await guessed(token));
    expect(answers).toEqual([...Array(8).fill("code_invalid"), "too_many_requests"]);
  });

  it("ten wrong codes from one address do not block the owner's right code", async () => {
    const email = "cleo@aqua.example";
    const code = await world.codeFor(email, "register");
    const wrong = code === "000000" ? "111111" : "000000";
    const verify = async (tried: string, ip: string) =>
      (await world.post("verify-email", { email, code: tried, purpose: "register" }, undefined, { ip })).json();
    const answers = [];
    for (let turn = 0; turn < 10; turn += 1) answers.push((await verify(wrong, "192.0.2.7")).error_code);
    expect(answers).toEqual([...Array(5).fill("code_invalid"), ...Array(5).fill("code_expired")]);
    expect(await verify(code, "192.0.2.8")).toMatchObject({ data: { ticket: expect.any(String) } });
  });

  it("a hundred rejected resends do not use up the owner's codes of the hour", async () => {
    await db.orm.delete(limitUse);
    const { email } = await world.register("dora@aqua.example");
    const ask = (ip: string) => world.post("forget-password", { email }, undefined, { ip });
    const asked = Array.from({ length: 100 }, (_, turn) => ask(`192.0.2.${100 + (turn % 5)}`));
    expect(await statuses(asked)).toEqual({ 200: 100 });
    expect((await world.mailsTo(email)).filter(({ text }) => /\b\d{6}\b/.test(text))).toHaveLength(2);
    await db.orm.delete(emailCode);
    expect(await world.ticketFor(email, "reset_password")).toEqual(expect.any(String));
  });

  it("one address is blocked over all accounts, an IPv6 line counts as one address, and others are not blocked", async () => {
    await db.orm.delete(limitUse);
    let turn = 0;
    const guess = (ip: string) =>
      world.post("login", { email: `e${++turn}@aqua.example`, password: "x" }, undefined, { ip });
    const from = (ips: string[]) => statuses(ips.map(guess));
    expect(await from(Array(45).fill("203.0.113.9"))).toEqual({ 401: 40, 429: 5 });
    const line = Array.from({ length: 45 }, (_, host) => `2001:db8:1:2::${(host + 1).toString(16)}`);
    expect(await from(line)).toEqual({ 401: 40, 429: 5 });
    expect(await from(["203.0.113.10", "2001:db8:1:3::1", "2001:db8::1"])).toEqual({ 401: 3 });
  });

  describe("AccountCalls of an address with devices of its own", () => {
    const ip = "203.0.113.77";
    /** Cookies of several devices of one account. Each device logs in without the cookies of the others. */
    const devicesOf = async (email: string, count: number) => {
      const logins = Array.from({ length: count }, () =>
        world.post("login", { email, password: PASSWORD }, undefined, elsewhere()),
      );
      return (await Promise.all(logins)).map(cookieOf);
    };
    const wrongFrom = (email: string, cookie?: string) => guess(email, ip, cookie);

    it("compute at most a tenth more hashes than the address may have, for any number of devices", async () => {
      await db.orm.delete(limitUse);
      const { email } = await world.register("eve@aqua.example");
      const cookies = await devicesOf(email, 8);
      const { email: other } = await world.register("eve2@aqua.example");
      const others = await devicesOf(other, 8);
      const before = world.hashes();
      const strangers = Array.from({ length: 40 }, (_, turn) => guess(`s${turn}@aqua.example`, ip));
      expect(await statuses(strangers)).toEqual({ 401: 40 });
      for (let turn = 0; turn < 10; turn += 1) {
        await statuses(cookies.map((cookie) => wrongFrom(email, cookie)));
        await statuses(others.map((cookie) => wrongFrom(other, cookie)));
      }
      expect(world.hashes() - before).toBe(44);
    });

    it("count calls of devices for the address", async () => {
      await db.orm.delete(limitUse);
      const { email } = await world.register("eva3@aqua.example");
      const [one, two] = await devicesOf(email, 2);
      for (const cookie of [one, two]) await statuses(Array.from({ length: 10 }, () => wrongFrom(email, cookie)));
      const strangers = Array.from({ length: 40 }, (_, turn) => guess(`t${turn}@aqua.example`, ip));
      expect(await statuses(strangers)).toEqual({ 401: 20, 429: 20 });
    });

    it("make a known device wait at most a minute if other devices have used up their share", async () => {
      await db.orm.delete(limitUse);
      const { email } = await world.register("own@aqua.example");
      const { email: evil } = await world.register("evil@aqua.example");
      const [cookie] = await devicesOf(email, 1);
      const theirs = await devicesOf(evil, 6);
      await statuses(Array.from({ length: 50 }, (_, turn) => guess(`u${turn}@aqua.example`, ip)));
      for (let turn = 0; turn < 3; turn += 1) await statuses(theirs.map((one) => wrongFrom(evil, one)));
      const login = () =>
        world.post("login", { email, password: PASSWORD }, undefined, { ip, ...(cookie ? { cookie } : {}) });
      const waits = await login();
      expect(waits.statusCode).toBe(429);
      const seconds = Number(waits.headers["retry-after"]);
      expect(seconds).toBeLessThanOrEqual(60);
      time += seconds * 1_000;
      expect((await login()).statusCode).toBe(200);
    });
  });

  it("PasswordTries slow down all devices of an account at one address together, and none at other addresses", async () => {
    await db.orm.delete(limitUse);
    const { email } = await world.register("ute@aqua.example");
    const cookies = [];
    for (let turn = 0; turn < 4; turn += 1) {
      cookies.push(cookieOf(await world.post("login", { email, password: PASSWORD }, undefined, elsewhere())));
    }
    const wrong = cookies.flatMap((cookie) => Array.from({ length: 9 }, () => guess(email, "203.0.113.78", cookie)));
    expect(await statuses(wrong)).toEqual({ 401: 20, 429: 16 });
    const [cookie = ""] = cookies;
    const home = await world.post("login", { email, password: PASSWORD }, undefined, { ...elsewhere(), cookie });
    expect(home.statusCode).toBe(200);
  });
});
