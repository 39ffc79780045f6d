import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { account, accountSession } from "../../src/account/schema.ts";
import { createSessions, type Sessions } from "../../src/account/sessions.ts";
import type { Database } from "../../src/db/database.ts";
import { createKeys } from "../../src/keys.ts";
import { withDatabase } from "../support/databases.ts";

const DAY = 24 * 60 * 60_000;
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const fromFirefox = { origin: { ip: "203.0.113.7", userAgent: FIREFOX }, proof: "password" as const };
const unnamed = { origin: null, proof: null };
const gone = { code: "token_error", statusCode: 401 };

withDatabase("sessions", (open) => {
  let db: Database;
  let sessions: Sessions;
  const keys = createKeys(new Uint8Array(32).fill(7));
  let time = 1_700_000_000_000;
  beforeAll(async () => {
    db = await open();
    sessions = createSessions(db, keys, () => time);
    for (const id of ["a", "b"]) {
      await db.orm.insert(account).values({
        id,
        email: `${id}@aqua.example`,
        passwordHash: "none",
        country: "FR",
        language: "en-US",
        subject: `0x${id.repeat(32)}`,
        createTime: 1,
      });
    }
  });
  beforeEach(async () => {
    await db.orm.delete(accountSession);
  });
  const bearer = (token: string) => `Bearer ${token}`;
  const alive = (token: string) =>
    sessions.optional(bearer(token)).then(
      () => true,
      () => false,
    );

  it("open with a token of 256 bits that the table does not contain", async () => {
    const token = await sessions.open(db.orm, "a", fromFirefox);
    expect(Buffer.from(token.split(".")[0] ?? "", "base64url")).toHaveLength(32);
    expect(await sessions.require(bearer(token))).toMatchObject({ accountId: "a" });
    const { rows } = await db.orm.execute(sql`select * from account_session`);
    expect(JSON.stringify(rows)).not.toContain(token);
    for (const value of Object.values(rows[0] as object)) expect(await alive(String(value))).toBe(false);
  });

  it("cannot be opened or moved to another account by a user of the database", async () => {
    const token = await sessions.open(db.orm, "a", unnamed);
    await db.orm.update(accountSession).set({ accountId: "b" });
    expect(await alive(token)).toBe(false);
    await db.orm.update(accountSession).set({ accountId: "a" });
    expect(await alive(token)).toBe(true);
    for (const forged of ["f".repeat(43), `${"f".repeat(43)}.${"0".repeat(64)}`]) {
      await db.orm.update(accountSession).set({ tokenHash: createHash("sha256").update(forged).digest("hex") });
      expect(await alive(forged)).toBe(false);
    }
  });

  it("are rejected without a header, with another scheme, and with a wrong or shortened token", async () => {
    const token = await sessions.open(db.orm, "a", unnamed);
    const wrong = token.replace(/^./, (first) => (first === "A" ? "B" : "A"));
    for (const header of ["", "Bearer", "Bearer ", token, `Basic ${token}`, bearer(wrong), bearer(token.slice(1))]) {
      await expect(sessions.require(header), header).rejects.toMatchObject(gone);
      await expect(sessions.optional(header), header).rejects.toMatchObject(gone);
    }
    await expect(sessions.require(undefined)).rejects.toMatchObject(gone);
    expect(await sessions.optional(undefined)).toBeNull();
  });

  it("end 30 days after the log-in, even if they are used", async () => {
    const token = await sessions.open(db.orm, "a", unnamed);
    time += 29 * DAY;
    expect(await alive(token)).toBe(true);
    time += DAY - 1;
    expect(await alive(token)).toBe(true);
    time += 1;
    expect(await alive(token)).toBe(false);
    await sessions.deleteExpired();
    expect(await db.orm.select().from(accountSession)).toEqual([]);
  });

  it("are confirmed for five minutes after a proof, and never without one", async () => {
    const refused = { code: "confirmation_required", statusCode: 403 };
    const bare = bearer(await sessions.open(db.orm, "a", unnamed));
    await expect(sessions.requireConfirmed(bare)).rejects.toMatchObject(refused);
    const proved = bearer(await sessions.open(db.orm, "a", fromFirefox));
    time += 299_999;
    const { tokenHash } = await sessions.requireConfirmed(proved);
    time += 1;
    await expect(sessions.requireConfirmed(proved)).rejects.toMatchObject(refused);
    expect(await sessions.confirm(db.orm, tokenHash, "password")).toBe(time + 300_000);
    await sessions.requireConfirmed(proved);
    await expect(sessions.requireConfirmed(bare)).rejects.toMatchObject(refused);
  });

  it("store a use at most once per minute", async () => {
    const token = await sessions.open(db.orm, "a", unnamed);
    const opened = time;
    const lastUse = async () => (await db.orm.select().from(accountSession))[0]?.lastUse;
    time += 59_999;
    await sessions.require(bearer(token));
    expect(await lastUse()).toBe(opened);
    time += 1;
    await sessions.require(bearer(token));
    expect(await lastUse()).toBe(time);
  });

  it("end at once, one alone, all but one, or all, and never those of another account", async () => {
    const [one, two, three] = [
      await sessions.open(db.orm, "a", unnamed),
      await sessions.open(db.orm, "a", unnamed),
      await sessions.open(db.orm, "a", unnamed),
    ];
    const foreign = await sessions.open(db.orm, "b", unnamed);
    const { tokenHash } = await sessions.require(bearer(one));
    expect(await sessions.end(db.orm, tokenHash)).toBe(true);
    expect(await sessions.end(db.orm, tokenHash)).toBe(false);
    expect([await alive(one), await alive(two), await alive(three)]).toEqual([false, true, true]);
    await sessions.endAll(db.orm, "a", (await sessions.require(bearer(two))).tokenHash);
    expect([await alive(two), await alive(three)]).toEqual([true, false]);
    await sessions.endAll(db.orm, "a");
    expect([await alive(two), await alive(foreign)]).toEqual([false, true]);
  });

  it("are listed for their owner, who can end only own sessions by their id", async () => {
    const token = await sessions.open(db.orm, "a", fromFirefox);
    time += 1_000;
    await sessions.open(db.orm, "a", unnamed);
    const mine = await sessions.require(bearer(token));
    const listed = await sessions.list(mine);
    expect(listed.map(({ current, user_agent, place }) => ({ current, user_agent, place }))).toEqual([
      { current: false, user_agent: null, place: null },
      { current: true, user_agent: "Firefox, Linux", place: "203.0.113.x" },
    ]);
    const id = listed[0]?.id ?? "";
    expect(await sessions.endById(db.orm, "b", id)).toBe(false);
    expect(await sessions.endById(db.orm, "a", id)).toBe(true);
    expect(await sessions.list(mine)).toHaveLength(1);
  });

  it("are at most 50 per account, and a further one ends the least recently used", async () => {
    const first = await sessions.open(db.orm, "a", unnamed);
    for (let opened = 0; opened < 50; opened += 1) {
      time += 1;
      await sessions.open(db.orm, "a", unnamed);
    }
    expect(await alive(first)).toBe(false);
    expect(await db.orm.select().from(accountSession)).toHaveLength(50);
  });
});
