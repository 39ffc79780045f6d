import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { limitUse } from "../../src/limits/schema.ts";
import { forEachDatabase } from "../support/databases.ts";
import { type AccountWorld, openAccounts, PASSWORD } from "./world.ts";

forEachDatabase("guessing", (open) => {
  let db: Database;
  let world: AccountWorld;
  beforeAll(async () => {
    db = await open();
    world = await openAccounts(db, { perAddress: 40 });
  });
  afterAll(() => world.close());

  let calls = 0;
  /** From another address each time. */
  const elsewhere = () => ({ ip: `198.51.${100 + Math.floor(++calls / 250)}.${calls % 250}` });
  const statuses = async (many: Promise<{ statusCode: number }>[]) => {
    const counts: Record<number, number> = {};
    for (const { statusCode } of await Promise.all(many)) counts[statusCode] = (counts[statusCode] ?? 0) + 1;
    return counts;
  };

  it("a password is stopped after ten tries an account from anywhere, also at once and after a restart", async () => {
    const { email } = await world.register("anna@aqua.example");
    const guess = (from = world) => from.post("login", { email, password: "not the password" }, undefined, elsewhere());
    expect(await statuses(Array.from({ length: 30 }, () => guess()))).toEqual({ 401: 10, 429: 20 });
    const right = await world.post("login", { email, password: PASSWORD }, undefined, elsewhere());
    expect(right.json()).toMatchObject({ error_code: "too_many_requests" });
    expect(Number(right.headers["retry-after"])).toBeGreaterThan(14 * 60);
    expect(Number(right.headers["retry-after"])).toBeLessThanOrEqual(15 * 60);

    await world.close();
    world = await openAccounts(db, { perAddress: 40 });
    expect((await guess()).statusCode).toBe(429);

    // The owner is not locked out: a code from the mailbox sets a new password.
    const ticket = await world.ticketFor(email, "reset_password");
    await world.post("reset-password", { email, ticket, password: "wind along the shore" }, undefined, elsewhere());
    const back = await world.post("login", { email, password: "wind along the shore" }, undefined, elsewhere());
    expect(back.statusCode).toBe(200);
  });

  it("an account that is not there is bounded alike", async () => {
    const guess = () => world.post("login", { email: "nobody@aqua.example", password: "x" }, undefined, elsewhere());
    expect(await statuses(Array.from({ length: 15 }, guess))).toEqual({ 401: 10, 429: 5 });
  });

  it("with a session the password is bounded by the same ten tries when deleting", async () => {
    const { token } = await world.register("ben@aqua.example");
    const guess = () => world.post("delete", { password: "not the password" }, token, elsewhere());
    expect(await statuses(Array.from({ length: 12 }, guess))).toEqual({ 401: 10, 429: 2 });
  });

  it("a code dies after five tries, and an e-mail has ten in a quarter of an hour however many codes it gets", async () => {
    const email = "cleo@aqua.example";
    const code = await world.codeFor(email, "register");
    const wrong = code === "000000" ? "111111" : "000000";
    const guess = (tried: string) =>
      world.post("verify-email", { email, code: tried, purpose: "register" }, undefined, elsewhere());
    const answers = [];
    for (let at = 0; at < 12; at += 1) answers.push((await guess(at < 5 ? wrong : code)).json().error_code);
    const died = [...Array(5).fill("code_invalid"), ...Array(5).fill("code_expired")];
    expect(answers).toEqual([...died, "too_many_requests", "too_many_requests"]);
  });

  it("a mailbox gets six codes an hour at most", async () => {
    const ask = () => world.post("forget-password", { email: "dora@aqua.example" }, undefined, elsewhere());
    expect(await statuses(Array.from({ length: 8 }, ask))).toEqual({ 200: 6, 429: 2 });
  });

  it("one address is stopped over all accounts; a line with IPv6 counts as one; others go on", async () => {
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
});
