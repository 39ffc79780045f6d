import { beforeAll, beforeEach, expect, it } from "vitest";
import { type Codes, createCodes } from "../../src/account/codes.ts";
import type { Caller } from "../../src/account/limits.ts";
import type { AccountMail } from "../../src/account/mails.ts";
import { emailCode, emailTicket } from "../../src/account/schema.ts";
import type { Database } from "../../src/db/database.ts";
import { job } from "../../src/jobs/schema.ts";
import { createKeys } from "../../src/keys.ts";
import { createLimits } from "../../src/limits/limits.ts";
import { limitUse } from "../../src/limits/schema.ts";
import type { Mail } from "../../src/mail/mail.ts";
import { withDatabase } from "../support/databases.ts";
import { workOff } from "../support/jobs.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const email = "anna@aqua.example";
const at = (ip: string, device: string | null = null): Caller => ({ ip, device, userAgent: undefined });
const owner = at("203.0.113.1");
/** Another address for each number. */
const stranger = (number: number) => at(`198.51.${100 + Math.floor(number / 250)}.${number % 250}`);

withDatabase("codes", (open) => {
  let db: Database;
  let codes: Codes;
  let mails: Mail<AccountMail>[];
  let time = 1_700_000_000_000;
  beforeAll(async () => {
    db = await open();
  });
  const restart = () => {
    const mailer = { deliver: async (_id: string, mail: Mail<AccountMail>) => void mails.push(mail) };
    const keys = createKeys(new Uint8Array(32).fill(7));
    const limits = createLimits(db, keys, () => time);
    codes = createCodes({ db, keys, limits, mailer, notifyJobs: () => {}, now: () => time });
  };
  beforeEach(async () => {
    await db.orm.delete(emailCode);
    await db.orm.delete(emailTicket);
    await db.orm.delete(job);
    await db.orm.delete(limitUse);
    mails = [];
    restart();
  });
  const mailed = async () => {
    await workOff(db, codes.handlers);
    return mails.map(({ content }) => ("code" in content ? content.code : content.kind));
  };
  const send = (from = owner) => codes.send({ email, purpose: "register", language: undefined }, from);
  const codeOf = (error: { code: string }) => error.code;
  const verify = (code: string, purpose: "register" | "reset_password" = "register", from = owner) =>
    codes.verify({ email, purpose, code }, from).then(() => "right", codeOf);
  const guess = (code: string, from: Caller) => verify(code, "register", from);
  const others = (code: string) =>
    ["000000", "111111", "222222", "333333", "444444", "555555", "666666"].filter((one) => one !== code);

  it("have six digits and are valid once, for 10 minutes, for their e-mail and purpose only", async () => {
    await send();
    const [code = ""] = await mailed();
    expect(code).toMatch(/^\d{6}$/);
    expect(await verify(code, "reset_password")).toBe("code_invalid");
    expect(await codes.verify({ email: "b@aqua.example", purpose: "register", code }, owner).catch(codeOf)).toBe(
      "code_invalid",
    );
    time += 10 * MINUTE - 1;
    expect(await verify(code)).toBe("right");
    expect(await verify(code)).toBe("code_invalid");
  });

  it("expire after 10 minutes", async () => {
    await send();
    const [code = ""] = await mailed();
    time += 10 * MINUTE;
    expect(await verify(code)).toBe("code_expired");
    await codes.deleteExpired();
    expect(await verify(code)).toBe("code_expired");
  });

  it("expire after five wrong tries, also if 50 come at once and the server restarts", async () => {
    await send();
    const [code = ""] = await mailed();
    const wrong = others(code);
    for (const guess of wrong.slice(0, 3)) expect(await verify(guess)).toBe("code_invalid");
    restart();
    const many = await Promise.all(Array.from({ length: 50 }, (_, at) => verify(String(wrong[at % wrong.length]))));
    expect(many.filter((answer) => answer === "code_invalid")).toHaveLength(2);
    expect(many.filter((answer) => answer === "code_expired")).toHaveLength(48);
    expect(await verify(code)).toBe("code_expired");
  });

  it("give one ticket if the right code is sent 20 times at once", async () => {
    await send();
    const [code = ""] = await mailed();
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(code)));
    expect(answers.filter((answer) => answer === "right")).toHaveLength(1);
    expect(await db.orm.select().from(emailTicket)).toHaveLength(1);
  });

  it("are sent again after a minute and not earlier, and then only the newest one is valid", async () => {
    expect(await send()).toEqual({ expires_in: 600, resend_in: 60 });
    time += 59_000;
    expect(await send()).toEqual({ expires_in: 541, resend_in: 1 });
    expect(await mailed()).toHaveLength(1);
    time += 1_000;
    expect(await send()).toEqual({ expires_in: 600, resend_in: 60 });
    const [first = "", second = ""] = await mailed();
    if (first !== second) expect(await verify(first)).toBe("code_invalid");
    expect(await verify(second)).toBe("right");
  });

  it("cause one mail if 20 requests come at once", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send()));
    for (const answer of answers) expect(answer).toEqual({ expires_in: 600, resend_in: 60 });
    expect(await mailed()).toHaveLength(1);
  });

  it("are not mailed if they were replaced or expired before their mail was sent", async () => {
    await send();
    time += MINUTE;
    await send();
    expect(await mailed()).toHaveLength(1);
    time += MINUTE;
    await send();
    time += 10 * MINUTE;
    expect(await mailed()).toHaveLength(1);
  });

  it("give tickets that are valid once, for 10 minutes, for their e-mail and purpose", async () => {
    await send();
    const [code = ""] = await mailed();
    const ticket = await codes.verify({ email, purpose: "register", code }, owner);
    const use = (address = email, purpose: "register" | "reset_password" = "register") =>
      codes.useTicket(db.orm, { email: address, purpose, ticket }).then(() => "used", codeOf);
    await codes.checkTicket(db.orm, { email, purpose: "register", ticket });
    expect(await use("b@aqua.example")).toBe("code_expired");
    expect(await use(email, "reset_password")).toBe("code_expired");
    const many = await Promise.all(Array.from({ length: 20 }, () => use()));
    expect(many.filter((answer) => answer === "used")).toHaveLength(1);
    time += MINUTE;
    await send();
    const [, next = ""] = await mailed();
    const late = await codes.verify({ email, purpose: "register", code: next }, owner);
    time += 10 * MINUTE;
    await expect(codes.checkTicket(db.orm, { email, purpose: "register", ticket: late })).rejects.toMatchObject({
      code: "code_expired",
    });
  });

  it("expire for the caller who guessed five times, and stay valid for everyone else", async () => {
    await send();
    const [code = ""] = await mailed();
    const answers = [];
    for (let turn = 0; turn < 10; turn += 1) answers.push(await guess(others(code)[turn % 6] ?? "", stranger(1)));
    expect(answers).toEqual([...Array(5).fill("code_invalid"), ...Array(5).fill("code_expired")]);
    expect(await guess(code, stranger(1))).toBe("code_expired");
    expect(await verify(code)).toBe("right");
  });

  it("allow about 70 guesses per day in total, from any callers and for any number of codes", async () => {
    let guessed = 0;
    let addresses = 1_000;
    for (const end = time + 24 * HOUR; time < end; time += 10 * MINUTE) {
      await db.transaction(async (tx) => codes.forget(tx, email));
      // A known device requests the codes, so that only the guesses are limited here.
      await codes.send({ email, purpose: "register", language: undefined }, at("203.0.113.1", `device ${time}`));
      const code = (await mailed()).at(-1) ?? "";
      let answer = "code_invalid";
      for (let turn = 0; answer === "code_invalid"; turn += 1) {
        addresses += 1;
        answer = await guess(others(code)[turn % 6] ?? "", stranger(addresses));
        if (answer === "code_invalid") guessed += 1;
      }
      expect(answer).toBe("too_many_requests");
    }
    expect(guessed).toBeGreaterThan(20);
    expect(guessed).toBeLessThanOrEqual(75);

    // A device that has logged in before has its own limit of guesses.
    await codes.forget(db.orm, email);
    await codes.send({ email, purpose: "register", language: undefined }, at("203.0.113.1", "known"));
    const code = (await mailed()).at(-1) ?? "";
    await guess(others(code)[0] ?? "", stranger(100));
    expect(await guess(code, stranger(101))).toBe("too_many_requests");
    expect(await guess(code, at("203.0.113.1", "known"))).toBe("right");
  });

  it("are sent to a mailbox six times an hour, three times per address, and an early request uses up none", async () => {
    for (let turn = 0; turn < 100; turn += 1) await send();
    expect(await mailed()).toHaveLength(1);
    for (let sent = 2; sent <= 3; sent += 1) {
      time += MINUTE;
      await send();
      expect(await mailed()).toHaveLength(sent);
    }
    time += MINUTE;
    await expect(send()).rejects.toMatchObject({ code: "too_many_requests" });
    for (let sent = 4; sent <= 6; sent += 1) {
      await send(stranger(1));
      expect(await mailed()).toHaveLength(sent);
      time += MINUTE;
    }
    await expect(send(stranger(2))).rejects.toMatchObject({ code: "too_many_requests" });
    // A rejected request does not replace the last code. A device that has logged in before still gets a code.
    expect(await mailed()).toHaveLength(6);
    const last = (await mailed()).at(-1) ?? "";
    expect(await verify(last)).toBe("right");
    await send(at("203.0.113.1", "known"));
    expect(await mailed()).toHaveLength(7);
  });
});
