import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { identityCase } from "../../src/identity/schema.ts";
import { isSigned, signatureOf } from "../../src/identity/signing.ts";
import { openAccount } from "../support/accounts.ts";
import { openTestDatabase } from "../support/databases.ts";
import { type IdentityReview, identityReview, png, showIdentity, submit } from "../support/identity.ts";

const secret = "webhook-secret-of-the-tests-0123456789";
interface Received {
  body: string;
  signature: string;
}

let db: Database;
let desk: IdentityReview;
let provider: Server;
const received: Received[] = [];
/** The provider's next responses; 200 when empty. */
const answers: number[] = [];
beforeAll(async () => {
  db = await openTestDatabase();
  provider = createServer(async (request: IncomingMessage, response) => {
    received.push({ body: await text(request), signature: String(request.headers["aqua-signature"]) });
    response.writeHead(answers.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  const { port } = provider.address() as AddressInfo;
  desk = await identityReview(db, { identity: { provider: "webhook", url: `http://127.0.0.1:${port}/in`, secret } });
});
afterAll(async () => {
  await desk?.stop();
  provider?.close();
  await db?.close();
});

const submitted = async () => {
  const account = await openAccount(db);
  await submit(desk.app, account.authorization);
  const [row] = await db.orm.select().from(identityCase).where(eq(identityCase.accountId, account.id));
  return { account, id: row?.id ?? "" };
};
const receivedOf = (id: string) => received.filter(({ body }) => JSON.parse(body).case_id === id);
const callback = async (body: object | string, signature?: string) => {
  const payload = typeof body === "string" ? body : JSON.stringify(body);
  const headers = { "content-type": "application/json", "aqua-signature": signature ?? signatureOf(secret, payload) };
  return (await desk.app.inject({ method: "POST", url: "/api/v2/identity/callback", payload, headers })).json();
};

describe("an outside provider", () => {
  it("receives each submission, signed, with the document and the address for the answer", async () => {
    const { id } = await submitted();
    await expect.poll(() => receivedOf(id).length).toBe(1);
    const [{ body, signature } = { body: "", signature: "" }] = receivedOf(id);
    expect(isSigned({ secret, body, header: signature })).toBe(true);
    expect(JSON.parse(body)).toEqual({
      case_id: id,
      name: "Ada Lovelace",
      birth_date: "1990-12-10",
      country: "FR",
      document_kind: "passport",
      document: { type: "image/png", content: png.toString("base64") },
      submitted_at: expect.any(Number),
      callback_url: "https://aqua.example/api/v2/identity/callback",
    });
  });

  it("receives a submission again until it has accepted it", async () => {
    answers.push(500, 503);
    const { id } = await submitted();
    await expect.poll(() => receivedOf(id).length).toBe(3);
  });

  it("decides with a signed callback, which takes effect once even if it is repeated", async () => {
    const { account, id } = await submitted();
    const until = Date.now() + 1_000_000;
    const body = { id: `callback-${id}`, case_id: id, decision: "verified", valid_until: until };
    expect(await callback(body)).toEqual({ data: {} });
    expect(await callback(body)).toEqual({ data: {} });
    expect(await showIdentity(desk.app, account.authorization)).toMatchObject({
      status: "verified",
      provider: "webhook",
      valid_until: until,
    });
    expect(desk.notices.filter(({ accountId }) => accountId === account.id)).toHaveLength(1);
    expect(await callback({ ...body, id: "another", decision: "rejected", reason: "No" })).toMatchObject({
      error_code: "conflict",
    });
  });

  it("rejects a submission with a reason", async () => {
    const { account, id } = await submitted();
    const body = { id: `callback-${id}`, case_id: id, decision: "rejected" };
    expect(await callback(body)).toMatchObject({ error_code: "validation_error", details: [{ path: "reason" }] });
    // A rejected callback does not use up its id.
    expect(await callback({ ...body, reason: "The document has run out." })).toEqual({ data: {} });
    expect(await showIdentity(desk.app, account.authorization)).toMatchObject({
      status: "rejected",
      reason: "The document has run out.",
    });
  });

  it("is rejected without a recent signature of exactly these bytes", async () => {
    const { account, id } = await submitted();
    const body = { id: `callback-${id}`, case_id: id, decision: "verified" };
    const payload = JSON.stringify(body);
    const refused = { error_code: "signature_invalid" };
    for (const signature of [
      "",
      "t=1,v1=00",
      signatureOf("another secret", payload),
      signatureOf(secret, `${payload} `),
      signatureOf(secret, payload, Date.now() - 6 * 60_000),
      signatureOf(secret, payload, Date.now() + 6 * 60_000),
    ]) {
      expect(await callback(payload, signature)).toMatchObject(refused);
    }
    expect(await showIdentity(desk.app, account.authorization)).toMatchObject({ status: "pending" });
  });

  it("gets an error that explains an invalid callback", async () => {
    const { id } = await submitted();
    expect(await callback("not json")).toMatchObject({ error_code: "validation_error" });
    expect(await callback("[".repeat(100_000))).toMatchObject({
      error_code: "validation_error",
      message: expect.stringContaining("within each other"),
    });
    expect(await callback({ case_id: id, decision: "maybe" })).toMatchObject({
      error_code: "validation_error",
      details: [{ path: "id" }, { path: "decision" }],
    });
    expect(await callback({ id: "1", case_id: "unknown", decision: "verified" })).toMatchObject({
      error_code: "not_found",
    });
    for (const part of [{ id: "\0" }, { case_id: `${id}\0` }, { decision: "rejected", reason: "No\0" }]) {
      expect(await callback({ id: "3", case_id: id, decision: "verified", ...part })).toMatchObject({
        error_code: "validation_error",
        message: "Text must not contain the character U+0000",
      });
    }
    const ago = { id: "2", case_id: id, decision: "verified", valid_until: Date.now() - 1 };
    expect(await callback(ago)).toMatchObject({ error_code: "validation_error", details: [{ path: "valid_until" }] });
  });
});
