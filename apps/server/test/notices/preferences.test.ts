import type { Notifications } from "@aqua/sdk/api/notices";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { removeAccount } from "../../src/account/store.ts";
import type { Database } from "../../src/db/database.ts";
import { createKeys } from "../../src/keys.ts";
import { exportNotices } from "../../src/notices/preferences.ts";
import { noticePreference, noticeSent } from "../../src/notices/schema.ts";
import { unsubscribeToken } from "../../src/notices/unsubscribe.ts";
import { openAccount, type TestAccount, verifyAccount } from "../support/accounts.ts";
import { withDatabase } from "../support/databases.ts";
import { type Notices, openNotices } from "./support.ts";

const DAY_MS = 86_400_000;

withDatabase("notice preferences", (open) => {
  let db: Database;
  let notices: Notices;
  let owner: TestAccount;
  /** The clock of the job, ahead of the machine's. */
  let ahead = 0;

  beforeAll(async () => {
    db = await open();
    notices = await openNotices(db, [], () => Date.now() + ahead);
  });
  afterAll(() => notices.close());
  beforeEach(async () => {
    ahead = 0;
    owner = await openAccount(db);
  });

  const call = async (method: "GET" | "POST", path: string, more: InjectOptions = {}) => {
    const response = await notices.app.inject({ method, url: `/api/v2/account/${path}`, ...more });
    return { status: response.statusCode, body: response.json() };
  };
  const own = () => ({ headers: { authorization: owner.authorization } });
  const change = (payload: object) => call("POST", "notifications", { ...own(), payload });
  const switches = ({ kinds }: Notifications) => Object.fromEntries(kinds.map(({ kind, on }) => [kind, on]));

  it("list every kind with its default, and which of them can be switched off", async () => {
    const { body } = await call("GET", "notifications", own());
    expect(switches(body.data)).toEqual({
      recoveries: true,
      owner_acts: true,
      losses: true,
      withdrawals: true,
      maturities: true,
      verification: true,
      evidence: true,
      income: false,
    });
    const optional = body.data.kinds.filter((row: { optional: boolean }) => row.optional);
    expect(optional.map(({ kind }: { kind: string }) => kind)).not.toContain("recoveries");
    expect(optional).toHaveLength(5);
    expect((await call("GET", "notifications")).status).toBe(401);
  });

  it("change only the given settings", async () => {
    await change({ kinds: { income: true } });
    await change({ kinds: { maturities: false }, language: "ko-KR" });
    const { body } = await change({});
    expect(body.data.language).toBe("ko-KR");
    expect(switches(body.data)).toMatchObject({ income: true, maturities: false, withdrawals: true });
  });

  it("do not allow to switch off a required kind", async () => {
    for (const kind of ["recoveries", "owner_acts", "losses", "anything"])
      expect(await change({ kinds: { [kind]: false } })).toMatchObject({
        status: 400,
        body: { error_code: "validation_error" },
      });
    expect(await db.orm.select().from(noticePreference)).not.toContainEqual(
      expect.objectContaining({ accountId: owner.id }),
    );
  });

  it("stop with one click the notices that a verification ends, which are sent once 30 and once 7 days before", async () => {
    await verifyAccount(db, owner.id, 40 * DAY_MS);
    expect(await notices.turn()).toEqual([]);
    ahead = 10 * DAY_MS + 60_000;
    const [mail, ...more] = await notices.turn();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      to: owner.email,
      subject: expect.stringContaining("Your identity verification expires"),
    });
    expect(await notices.turn()).toEqual([]);

    const link = /^<https:\/\/aqua\.example\/api\/v2\/account\/(unsubscribe\?token=[\w-]+)>$/.exec(
      mail?.headers["list-unsubscribe"] ?? "",
    )?.[1];
    const token = link?.split("=")[1];
    expect(mail?.text).toContain(`https://aqua.example/unsubscribe?token=${token}`);
    expect(await call("GET", link ?? "")).toMatchObject({ body: { data: { kind: "verification", on: true } } });
    expect(switches((await call("GET", "notifications", own())).body.data).verification).toBe(true);
    // The request of a mail program according to RFC 8058.
    const clicked = await call("POST", link ?? "", {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: "List-Unsubscribe=One-Click",
    });
    expect(clicked).toMatchObject({ status: 200, body: { data: { kind: "verification", on: false } } });
    expect((await call("POST", link ?? "")).status).toBe(200);
    expect(switches((await call("GET", "notifications", own())).body.data)).toMatchObject({
      verification: false,
      withdrawals: true,
    });
    ahead = 34 * DAY_MS;
    expect(await notices.turn()).toEqual([]);
    await change({ kinds: { verification: true } });
    expect(await notices.turn()).toHaveLength(1);
    ahead = 41 * DAY_MS;
    expect(await notices.turn()).toEqual([]);
  });

  it("do not change through a link of another instance or of a deleted account", async () => {
    const keys = createKeys(new Uint8Array(32).fill(7));
    const right = unsubscribeToken(keys, { accountId: owner.id, kind: "evidence" });
    const foreign = unsubscribeToken(createKeys(new Uint8Array(32).fill(8)), { accountId: owner.id, kind: "evidence" });
    const altered = `${right.slice(0, -2)}${right.endsWith("A") ? "BB" : "AA"}`;
    for (const token of ["garbage", "A".repeat(150), foreign, altered, right.slice(0, 40)])
      for (const method of ["GET", "POST"] as const)
        expect((await call(method, `unsubscribe?token=${token}`)).body.error_code, token).toBe("not_found");
    for (const query of ["", "?token="]) expect((await call("POST", `unsubscribe${query}`)).status).toBe(400);
    await removeAccount(db.orm, owner.id);
    expect((await call("POST", `unsubscribe?token=${right}`)).body.error_code).toBe("not_found");
  });

  it("have links that reveal neither account nor e-mail and differ each time", async () => {
    const keys = createKeys(new Uint8Array(32).fill(7));
    const make = () => unsubscribeToken(keys, { accountId: owner.id, kind: "evidence" });
    expect(make()).not.toBe(make());
    expect(Buffer.from(make(), "base64url").toString("latin1")).not.toContain(owner.id);
  });

  it("are exported and deleted with the account", async () => {
    await change({ kinds: { income: true } });
    await verifyAccount(db, owner.id, 5 * DAY_MS);
    await notices.turn();
    expect(await exportNotices(db.orm, owner.id)).toMatchObject({
      notices: {
        chosen: [{ kind: "income", on: true }],
        sent: [{ key: expect.stringMatching(/^verification7:\d+$/) }],
      },
    });
    await removeAccount(db.orm, owner.id);
    for (const table of [noticePreference, noticeSent])
      expect(await db.orm.select().from(table)).not.toContainEqual(expect.objectContaining({ accountId: owner.id }));
  });
});
