import { webhookData } from "@aqua/sdk/api/webhooks";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { account } from "../../src/account/schema.ts";
import type { Database } from "../../src/db/database.ts";
import { identityCase, identityDocument } from "../../src/identity/schema.ts";
import { job } from "../../src/jobs/schema.ts";
import { createKeys } from "../../src/keys.ts";
import { mailFormat } from "../../src/mail/format.ts";
import { readInfo } from "../../src/profile/info.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { upsertBinding } from "../../src/records/bindings.ts";
import { RECORD_JOB } from "../../src/records/enqueue.ts";
import { stored } from "../../src/records/store.ts";
import { linkWallet, openAccount, stateAccount, verifyAccount } from "../support/accounts.ts";
import { openTestDatabase } from "../support/databases.ts";
import { type IdentityReview, identityReview, operatorToken, png, showIdentity, submit } from "../support/identity.ts";

const DAY_MS = 86_400_000;
const wallet = "0x8C3229EC621644789d7F61FAa82c6d0E5F97d43D";
let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db?.close());

const recordJobs = () => db.orm.select().from(job).where(eq(job.kind, RECORD_JOB));

/** Checks that the public log states the account's rows as they are. */
const requireStated = (accountId: string) =>
  db.transaction((tx) => createLogWriter(createKeys(new Uint8Array(32).fill(7))).requireAccount(tx, accountId));

describe("the operator", () => {
  let desk: IdentityReview;
  beforeAll(async () => {
    desk = await identityReview(db, { operatorToken });
  });
  afterAll(() => desk?.stop());

  const call = async (path: string, body?: object, token = operatorToken) => {
    const response = await desk.app.inject({
      method: body === undefined ? "GET" : "POST",
      url: `/api/v2/operator/identity${path}`,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { payload: body }),
    });
    return response;
  };
  const submitted = async () => {
    const account = await openAccount(db);
    await submit(desk.app, account.authorization);
    const [row] = await db.orm.select().from(identityCase).where(eq(identityCase.accountId, account.id));
    return { account, id: row?.id ?? "" };
  };

  it("OperatorToken answers a network with 429 after 30 wrong tokens, but not the right token or other networks", async () => {
    const from = async (remoteAddress: string, token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await desk.app.inject({ url: "/api/v2/operator/identity", headers, remoteAddress })).statusCode;
    };
    const wrong: number[] = [];
    for (let turn = 0; turn < 32; turn += 1) wrong.push(await from("203.0.113.30", `wrong ${turn}`));
    expect(wrong).toEqual([...Array(30).fill(401), 429, 429]);
    expect(await from("203.0.113.30", operatorToken)).toBe(200);
    expect(await from("203.0.113.31", "wrong")).toBe(401);
  });

  it("is identified only by the token", async () => {
    for (const token of ["", "wrong", `${operatorToken}x`]) {
      expect((await call("", undefined, token)).json()).toMatchObject({ error_code: "token_error" });
    }
    const { authorization } = await openAccount(db);
    expect((await call("", undefined, authorization.slice(7))).statusCode).toBe(401);
  });

  it("does not exist if no token is set", async () => {
    const without = await identityReview(db);
    const response = await without.app.inject({
      url: "/api/v2/operator/identity",
      headers: { authorization: `Bearer ${operatorToken}` },
    });
    expect(response.statusCode).toBe(404);
    await without.stop();
  });

  it("sees the waiting submissions, their fields and their documents", async () => {
    const { account, id } = await submitted();
    const list = (await call("?page_size=100")).json().data;
    expect(list.items.find((item: { id: string }) => item.id === id)).toMatchObject({
      status: "pending",
      email: account.email,
      country: "FR",
      document_kind: "passport",
      provider: "manual",
    });
    expect((await call(`/${id}`)).json().data).toMatchObject({
      name: "Ada Lovelace",
      birth_date: "1990-12-10",
      document: { type: "image/png", size: png.length },
    });
    const document = await call(`/${id}/document`);
    expect(document.headers["content-type"]).toBe("image/png");
    expect(document.headers["content-disposition"]).toBe(`attachment; filename="${id}.png"`);
    expect(document.rawPayload.equals(png)).toBe(true);
    expect((await call("/unknown")).json()).toMatchObject({ error_code: "not_found" });
  });

  it("verifies a person, which mails the owner, enqueues the wallet's record and sets the document's expiry", async () => {
    const { account, id } = await submitted();
    await linkWallet(db, account, wallet, async () => "0x12");
    const before = (await recordJobs()).length;
    const heard: string[] = [];
    const end = desk.events.subscribe({ accountId: account.id }, ({ name }) => heard.push(name));
    expect((await call(`/${id}/approve`, { valid_days: 10 })).json().data).toMatchObject({ status: "verified" });
    end();
    await requireStated(account.id);
    const shown = await showIdentity(desk.app, account.authorization);
    expect(shown).toMatchObject({ status: "verified", reason: null });
    expect(Math.round((shown.valid_until - Date.now()) / DAY_MS)).toBe(10);
    expect(heard).toEqual(["identity"]);
    const date = mailFormat("en-US").date(shown.valid_until);
    expect(desk.notices.at(-1)).toEqual({
      ...{ accountId: account.id, kind: "identity_verified", date, wallet },
      notes: ["wallet_unrecorded", "verified_until"],
    });
    expect((await recordJobs()).length).toBe(before + 1);
    const jobs = await db.orm.select().from(job).where(eq(job.kind, "identity.forget"));
    expect(jobs.map(({ payload }) => payload)).toContainEqual({ caseId: id });
  });

  it("mails whether the account has a wallet, and whether its record lets it deposit already", async () => {
    const { account, id } = await submitted();
    await call(`/${id}/approve`, { valid_days: 10 });
    expect(desk.notices.at(-1)).toMatchObject({ notes: ["wallet_missing", "verified_until"] });
    expect(desk.notices.at(-1)).not.toHaveProperty("wallet");
    // A renewal of a wallet whose record is on every chain.
    const linked = "0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f";
    await linkWallet(db, account, linked, async () => "0x12");
    await upsertBinding(db.orm, { chainId: 31337, address: stored(linked) }, { state: "bound" });
    await submit(desk.app, account.authorization);
    const cases = await db.orm.select().from(identityCase).where(eq(identityCase.accountId, account.id));
    const renewal = cases.find(({ status }) => status === "pending");
    await call(`/${renewal?.id}/approve`, { valid_days: 20 });
    expect(desk.notices.at(-1)).toMatchObject({ wallet: linked, notes: ["wallet_recorded", "verified_until"] });
  });

  it("replaces the country chosen at sign-up by that of the document, which stays after the verification ends", async () => {
    const owner = await openAccount(db);
    await db.orm.update(account).set({ country: "DE" }).where(eq(account.id, owner.id));
    const countryOf = async () => (await readInfo(db.orm, owner.id)).country;
    expect(await countryOf()).toBe("DE");
    await verifyAccount(db, owner.id);
    expect(await countryOf()).toBe("FR");
    await db.orm
      .update(identityCase)
      .set({ validUntil: Date.now() - 1 })
      .where(eq(identityCase.accountId, owner.id));
    expect(await countryOf()).toBe("FR");
  });

  it("rejects a submission with a reason for the person, who may submit again", async () => {
    const { account, id } = await submitted();
    expect((await call(`/${id}/reject`, { reason: " " })).json()).toMatchObject({ error_code: "validation_error" });
    await call(`/${id}/reject`, { reason: "The picture is blurred." });
    expect(await showIdentity(desk.app, account.authorization)).toMatchObject({
      status: "rejected",
      reason: "The picture is blurred.",
    });
    expect(desk.notices.at(-1)).toMatchObject({ kind: "identity_rejected", reason: "The picture is blurred." });
    expect((await submit(desk.app, account.authorization)).data).toMatchObject({ status: "pending" });
    await requireStated(account.id);
  });

  it("tells the operator's system of each decision, by the id of the case and nothing about the person", async () => {
    const { id } = await submitted();
    const before = desk.emitted.length;
    await call(`/${id}/approve`, { valid_days: 10 });
    await call(`/${id}/revoke`, { reason: "Forged by Ada." });
    const rejected = (await submitted()).id;
    await call(`/${rejected}/reject`, { reason: "Blurred picture of Ada." });
    const told = (case_id: string, status: string, valid_until: unknown = null) => ({
      ...{ type: "identity", time: expect.any(Number) },
      data: { case_id, status, valid_until },
    });
    expect(desk.emitted.slice(before)).toEqual([
      told(id, "verified", expect.any(Number)),
      told(id, "rejected"),
      told(rejected, "rejected"),
    ]);
    for (const { type, data } of desk.emitted) expect(webhookData[type].parse(data)).toEqual(data);
  });

  it("decides a case once, even if two decide at the same time", async () => {
    const { id } = await submitted();
    const outcomes = await Promise.all([
      call(`/${id}/approve`, {}),
      call(`/${id}/reject`, { reason: "No" }),
      call(`/${id}/approve`, {}),
    ]);
    expect(outcomes.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(outcomes.filter(({ statusCode }) => statusCode === 409)).toHaveLength(2);
  });

  it("revokes a verification", async () => {
    const { account, id } = await submitted();
    expect((await call(`/${id}/revoke`, { reason: "Forged." })).json()).toMatchObject({ error_code: "conflict" });
    await call(`/${id}/approve`, {});
    await call(`/${id}/revoke`, { reason: "Forged." });
    expect(await showIdentity(desk.app, account.authorization)).toMatchObject({
      status: "rejected",
      reason: "Forged.",
      valid_until: null,
    });
    await requireStated(account.id);
  });

  it("revokes every verification of the person, including the one before a renewal", async () => {
    const account = await openAccount(db);
    await verifyAccount(db, account.id, 29 * DAY_MS);
    await submit(desk.app, account.authorization);
    const cases = await db.orm.select().from(identityCase).where(eq(identityCase.accountId, account.id));
    const renewal = cases.find(({ status }) => status === "pending")?.id;
    await call(`/${renewal}/approve`, {});
    await call(`/${renewal}/revoke`, { reason: "Forged." });
    expect(await showIdentity(desk.app, account.authorization)).toMatchObject({
      status: "rejected",
      reason: "Forged.",
      valid_until: null,
    });
  });
});

describe("a verification", () => {
  let desk: IdentityReview;
  beforeAll(async () => {
    desk = await identityReview(db);
  });
  afterAll(() => desk?.stop());

  it("cannot be renewed more than a month before its end, and is renewed without a gap later", async () => {
    const early = await openAccount(db);
    await verifyAccount(db, early.id, 31 * DAY_MS);
    expect(await submit(desk.app, early.authorization)).toMatchObject({ error_code: "conflict" });

    const late = await openAccount(db);
    await verifyAccount(db, late.id, 29 * DAY_MS);
    expect((await submit(desk.app, late.authorization)).data).toMatchObject({ status: "verified" });
    expect(await submit(desk.app, late.authorization)).toMatchObject({ error_code: "conflict" });
  });

  it("expires at its time, even if the job has not run yet", async () => {
    const { id, authorization } = await openAccount(db);
    await verifyAccount(db, id, -1);
    expect(await showIdentity(desk.app, authorization)).toMatchObject({ status: "expired" });
    expect((await submit(desk.app, authorization)).data).toMatchObject({ status: "pending" });
  });
});

describe("the sandbox", () => {
  let desk: IdentityReview;
  beforeAll(async () => {
    desk = await identityReview(db, { identity: { provider: "sandbox" } });
  });
  afterAll(() => desk?.stop());

  const statusAfter = async (name: string) => {
    const { authorization } = await openAccount(db);
    await submit(desk.app, authorization, { fields: { name } });
    return () => showIdentity(desk.app, authorization).then(({ status }) => status);
  };

  it("names the fields that it decides on", async () => {
    const { authorization } = await openAccount(db);
    expect((await showIdentity(desk.app, authorization)).sandbox_names).toEqual([
      { name: "Test Verified", outcome: "verified" },
      { name: "Test Rejected", outcome: "rejected" },
      { name: "Test Pending", outcome: "pending" },
      { name: "Test Expired", outcome: "expired" },
    ]);
  });

  it("verifies, rejects or does not decide by the name, in any letter case", async () => {
    const waiting = await statusAfter("Test Pending");
    const rejected = await statusAfter("TEST REJECTED");
    const anyone = await statusAfter("Ada Lovelace");
    const verified = await statusAfter("test verified");
    await expect.poll(verified).toBe("verified");
    await expect.poll(rejected).toBe("rejected");
    await expect.poll(anyone).toBe("verified");
    expect(await waiting()).toBe("pending");
  });
});

describe("jobs of a decision", () => {
  it("mark the end of a verification and delete the document", async () => {
    const desk = await identityReview(db, { operatorToken });
    const account = await openAccount(db);
    await submit(desk.app, account.authorization);
    const [row] = await db.orm.select().from(identityCase).where(eq(identityCase.accountId, account.id));
    const id = row?.id ?? "";
    await desk.app.inject({
      method: "POST",
      url: `/api/v2/operator/identity/${id}/approve`,
      payload: {},
      headers: { authorization: `Bearer ${operatorToken}` },
    });
    // Simulates that the year and the thirty days have passed.
    await db.orm
      .update(identityCase)
      .set({ validUntil: Date.now() - 1 })
      .where(eq(identityCase.id, id));
    await stateAccount(db, account.id);
    await db.orm.update(job).set({ runAt: Date.now() }).where(eq(job.kind, "identity.expire"));
    await db.orm.update(job).set({ runAt: Date.now() }).where(eq(job.kind, "identity.forget"));
    await expect
      .poll(async () => (await db.orm.select().from(identityCase).where(eq(identityCase.id, id)))[0]?.status)
      .toBe("expired");
    await expect.poll(() => db.orm.select().from(identityDocument).where(eq(identityDocument.caseId, id))).toEqual([]);
    expect(desk.emitted.map(({ data }) => data)).toMatchObject([
      { case_id: id, status: "verified" },
      { case_id: id, status: "expired" },
    ]);
    await requireStated(account.id);
    await desk.stop();
  });
});
