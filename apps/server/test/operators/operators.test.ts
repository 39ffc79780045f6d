import { createHash, randomBytes } from "node:crypto";
import { type AddedOperator, actHeaders } from "@aqua/sdk/api/operator";
import { actCommitment, operatorAct, readEntry } from "@aqua/sdk/proofs/log/entry";
import { asc, eq, sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { type Hex, toHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { identityCase, identityDocument } from "../../src/identity/schema.ts";
import { createKeys } from "../../src/keys.ts";
import { operationRoutes } from "../../src/operations/routes.ts";
import { createOperationService } from "../../src/operations/service.ts";
import { operatorRoutes } from "../../src/operators/routes.ts";
import { operator, operatorApproval } from "../../src/operators/schema.ts";
import { createOperators } from "../../src/operators/service.ts";
import { publicLogEntry } from "../../src/publicLog/schema.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { createDevices } from "../../src/telemetry/devices.ts";
import { deviceOperatorRoutes } from "../../src/telemetry/operatorRoutes.ts";
import { openAccount, testSecret } from "../support/accounts.ts";
import { testApp } from "../support/app.ts";
import { withDatabase } from "../support/databases.ts";
import { identityReview, submit } from "../support/identity.ts";
import { LOG_ORIGIN, operatorAccess, publicLogOf } from "../support/publicLog.ts";
import { CHAIN, listProduct } from "../telemetry/rows.ts";

const TOKEN = "t".repeat(40);
const key = privateKeyToAccount(generatePrivateKey());
const otherKey = privateKeyToAccount(generatePrivateKey());
const addressOf = (account: typeof key) => account.address.toLowerCase() as Hex;
const device = {
  ...{ name: "pump-1", short_id: "tide", metric: "energy", exponent: -3, place: "Brest", latitude: 48.4 },
  ...{ longitude: -4.5, model: "P1", trust: "declared", min: "0", max: "1000", interval: 60_000 },
};

withDatabase("named operators", (open) => {
  let db: Database;
  let app: FastifyInstance;
  let signedApp: FastifyInstance;
  let twoApp: FastifyInstance;
  const keys = createKeys(testSecret);
  const writer = createLogWriter(keys);

  beforeAll(async () => {
    db = await open();
    await publicLogOf(db, keys);
    await listProduct(db, "tide", { number: 1 });
    const devices = createDevices({ db, chainIds: [CHAIN], writer });
    const none = undefined as never;
    const operations = createOperationService({
      ...{ db, writer, chains: [], works: [], keys: none, troubles: () => [], notifyJobs() {} },
    });
    const appOf = async (access: ReturnType<typeof operatorAccess>) =>
      (
        await testApp({
          features: [
            operatorRoutes(access),
            deviceOperatorRoutes({ devices, importBatches: none, losses: none, access }),
            operationRoutes(operations, access),
          ],
        })
      ).app;
    app = await appOf(operatorAccess(db, keys, { token: TOKEN }));
    const operators = [addressOf(key), addressOf(otherKey)];
    signedApp = await appOf(operatorAccess(db, keys, { token: TOKEN, operators }));
    twoApp = await appOf(operatorAccess(db, keys, { token: TOKEN, fourEyes: ["devices", "operations"] }));
  });
  afterAll(() => Promise.all([app?.close(), signedApp?.close(), twoApp?.close()]));
  beforeEach(async () => {
    await db.orm.execute(sql`truncate device, operator, operator_approval cascade`);
    await db.orm.delete(publicLogEntry);
  });

  const call = (method: "GET" | "POST", path: string, { token = TOKEN, body, on = app, headers = {} }: Call = {}) =>
    on.inject({
      method,
      url: `/api/v2/operator/${path}`,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
  interface Call {
    token?: string;
    body?: object;
    on?: FastifyInstance;
    headers?: Record<string, string>;
  }
  async function add(name: string, scopes: string[], more: object = {}): Promise<AddedOperator> {
    const response = await call("POST", "operators", { body: { name, scopes, ...more } });
    expect(response.statusCode).toBe(200);
    return response.json().data;
  }
  const entries = async () => {
    const rows = await db.orm.select().from(publicLogEntry).orderBy(asc(publicLogEntry.arrival));
    return rows.map(({ content }) => readEntry(new Uint8Array(content)));
  };

  it("get a token that is told once and not stored, and stand in the public log", async () => {
    const ada = await add("ada", ["read", "devices", "devices"]);
    expect(ada).toMatchObject({ name: "ada", scopes: ["devices", "read"], address: null, revoked_at: null });
    expect(ada.token).toMatch(/^aqua_[\w-]{43}$/);
    const stored = JSON.stringify(await db.orm.select().from(operator));
    expect(stored).not.toContain(ada.token);
    expect(stored).not.toContain(createHash("sha256").update(ada.token).digest("hex"));
    const { token: _token, ...shown } = ada;
    expect((await call("GET", "operators")).json().data).toEqual([shown]);
    const [entry] = await entries();
    expect(entry).toMatchObject({ kind: "operator", subject: "ada", version: 1, content: { scopes: "devices,read" } });
    expect((await call("POST", "operators", { body: { name: "ada", scopes: ["read"] } })).json()).toMatchObject({
      error_code: "conflict",
    });
  });

  it("may do what their scopes allow, and the public log names them beside each act", async () => {
    const { token } = await add("ada", ["devices"]);
    expect((await call("POST", "devices", { token, body: device })).statusCode).toBe(200);
    expect((await entries()).at(-1)).toMatchObject({ kind: "device", by: "ada", act: null });
    expect((await call("POST", "devices/pump-1/retire")).statusCode).toBe(200);
    expect((await entries()).at(-1)?.by).toBeUndefined();
    const { token: reader } = await add("bob", ["read"]);
    expect((await call("GET", "devices", { token: reader })).statusCode).toBe(200);
    expect((await call("POST", "devices/pump-1/retire", { token: reader })).json()).toMatchObject({
      error_code: "not_allowed",
      message: "This needs the scope devices; bob has read",
    });
    const grown = await call("POST", "operators", { token, body: { name: "eve", scopes: ["identity"] } });
    expect(grown.json()).toMatchObject({ error_code: "not_allowed" });
  });

  it("have no access once they were revoked or their token has expired", async () => {
    const { token } = await add("ada", ["read"]);
    expect((await call("POST", "operators/ada/revoke")).json().data.revoked_at).toEqual(expect.any(Number));
    expect((await call("GET", "devices", { token })).json()).toMatchObject({ error_code: "token_error" });
    expect((await call("POST", "operators", { body: { name: "ada", scopes: ["read"] } })).json().message).toBe(
      "An operator of this name exists, and was revoked",
    );
    const bob = await add("bob", ["read"], { valid_days: 1 });
    const later = createOperators({ db, keys, writer }, () => (bob.expires_at ?? 0) - 1);
    expect(await later.find(bob.token)).toMatchObject({ name: "bob" });
    const expired = createOperators({ db, keys, writer }, () => bob.expires_at ?? 0);
    expect(await expired.find(bob.token)).toBeNull();
    for (const wrong of ["", "x", `aqua_${"x".repeat(43)}`])
      expect((await call("GET", "devices", { token: wrong })).statusCode).toBe(401);
    expect((await call("POST", "operators/cy/revoke")).statusCode).toBe(404);
  });

  it("have no access while their row differs from the public log", async () => {
    const { token } = await add("ada", ["read"]);
    await db.orm.update(operator).set({ scopes: "devices,identity,operations,read" });
    expect((await call("GET", "devices", { token })).json()).toMatchObject({ error_code: "record_differs" });
    const tokenHash = keys.hash("operator", token);
    await db.orm.insert(operator).values({ name: "eve", scopes: "read", createTime: 1, tokenHash: "0" });
    await db.orm.update(operator).set({ tokenHash: "1" }).where(eq(operator.name, "ada"));
    await db.orm.update(operator).set({ tokenHash }).where(eq(operator.name, "eve"));
    expect((await call("GET", "devices", { token })).json()).toMatchObject({ error_code: "record_differs" });
  });

  async function signed(signer: typeof key, path: string, body: object): Promise<Record<string, string>> {
    const [nonce, time] = [toHex(randomBytes(32)), Date.now()];
    const commitment = actCommitment(nonce, JSON.stringify(body));
    const message = operatorAct({ site: LOG_ORIGIN, call: `POST operator/${path}`, commitment, time });
    return {
      [actHeaders.time]: String(time),
      [actHeaders.nonce]: nonce,
      [actHeaders.signature]: await signer.signTypedData(message),
      "content-type": "application/json",
    };
  }

  it("say why in a text that can be shown, except for calls about persons", async () => {
    const { token } = await add("ada", ["devices", "identity"]);
    const because = (text: string) => ({ [actHeaders.reason]: text });
    const enrol = (headers: Record<string, string>) => call("POST", "devices", { token, body: device, headers });
    for (const wrong of ["", "%20", "%E0%A4%A", "%00", "%E2%80%AE", "x".repeat(501)])
      expect([wrong, (await enrol(because(wrong))).json().error_code]).toEqual([wrong, "validation_error"]);
    expect((await enrol(because("Pumpe%20ersetzt"))).statusCode).toBe(200);
    expect((await entries()).at(-1)).toMatchObject({ kind: "device", by: "ada", act: null, reason: "Pumpe ersetzt" });
    const review = await identityReview(db, { operatorToken: TOKEN });
    const refused = await call("GET", "identity", { token, on: review.app, headers: because("Sch%C3%A4fer") });
    expect(refused.json()).toMatchObject({
      error_code: "validation_error",
      message: expect.stringContaining("person"),
    });
    await review.stop();
  });

  it("sign with their own key where they have one", async () => {
    const body = { name: "ada", scopes: ["devices"], address: addressOf(key) };
    const added = await call("POST", "operators", {
      body,
      on: signedApp,
      headers: await signed(key, "operators", body),
    });
    const { token } = added.json().data;
    const enrol = async (signer: typeof key) =>
      call("POST", "devices", { token, body: device, on: signedApp, headers: await signed(signer, "devices", device) });
    expect((await enrol(otherKey)).json()).toMatchObject({
      error_code: "signature_invalid",
      message: "ada has another key",
    });
    expect((await enrol(key)).statusCode).toBe(200);
    expect((await entries()).at(-1)).toMatchObject({ kind: "device", by: "ada", act: { operator: addressOf(key) } });
  });

  it("change what needs two of them only together, within a day", async () => {
    const [ada, bob] = [await add("ada", ["devices"]), await add("bob", ["devices"])];
    const enrol = (token: string, body = device) => call("POST", "devices", { token, body, on: twoApp });
    expect((await enrol(TOKEN)).json()).toMatchObject({ error_code: "not_allowed" });
    for (const again of [1, 2]) {
      const first = await enrol(ada.token);
      expect([again, first.statusCode, first.json().data]).toEqual([
        again,
        202,
        { waits_for_second: true, first: "ada", until: expect.any(Number) },
      ]);
    }
    // Another body is another call.
    expect((await enrol(bob.token, { ...device, place: "Nantes" })).statusCode).toBe(202);
    expect((await call("GET", "devices", { on: twoApp })).json().data).toEqual([]);
    expect((await enrol(bob.token)).statusCode).toBe(200);
    expect((await entries()).slice(2).map(({ kind, subject, by }) => [kind, subject, by])).toEqual([
      ["act", "POST operator/devices", "ada"],
      ["act", "POST operator/devices", "ada"],
      ["act", "POST operator/devices", "bob"],
      ["device", "pump-1", "bob"],
    ]);
    // The first call of yesterday counts no more.
    await db.orm.update(operatorApproval).set({ time: 1 });
    expect((await enrol(ada.token, { ...device, place: "Nantes" })).json().data).toMatchObject({ first: "ada" });
  });

  describe("of whom two must make a call", () => {
    const scopes = ["devices", "operations"];
    const make = (token: string, path: string, body?: object) =>
      call("POST", path, { token, on: twoApp, ...(body === undefined ? {} : { body }) });
    const approvals = async () => (await db.orm.select().from(operatorApproval)).map(({ call: path }) => path);
    const acts = async () => (await entries()).filter(({ kind }) => kind !== "operator");

    it("need no second approval after the call failed", async () => {
      const [ada, bob] = [await add("ada", scopes), await add("bob", scopes)];
      expect((await make(ada.token, "devices/pump-1/retire")).statusCode).toBe(202);
      for (let time = 0; time < 2; time += 1)
        expect((await make(bob.token, "devices/pump-1/retire")).json()).toMatchObject({ error_code: "not_found" });
      expect((await acts()).map(({ by }) => by)).toEqual(["ada"]);
      expect((await call("POST", "devices", { body: device })).statusCode).toBe(200);
      expect((await make(bob.token, "devices/pump-1/retire")).statusCode).toBe(200);
      expect((await acts()).at(-1)).toMatchObject({ kind: "device", subject: "pump-1", by: "bob" });
      expect(await approvals()).toEqual([]);
    });

    it("lose the approvals of an operator who was revoked", async () => {
      const [ada, bob] = [await add("ada", scopes), await add("bob", scopes)];
      await call("POST", "devices", { body: device });
      expect((await make(ada.token, "devices/pump-1/retire")).statusCode).toBe(202);
      await call("POST", "operators/ada/revoke");
      expect((await make(bob.token, "devices/pump-1/retire")).json().data).toMatchObject({ first: "bob" });
    });

    it("retry jobs and record it together, or neither", async () => {
      const [ada, bob] = [await add("ada", scopes), await add("bob", scopes)];
      expect((await make(ada.token, "jobs/retry", { id: 7 })).statusCode).toBe(202);
      expect((await make(bob.token, "jobs/retry", { id: 7 })).json()).toMatchObject({ error_code: "not_found" });
      expect((await acts()).map(({ by }) => by)).toEqual(["ada"]);
      expect(await approvals()).toEqual(["POST operator/jobs/retry"]);
    });

    it("use up the approval of a call that changes nothing", async () => {
      const [ada, bob] = [await add("ada", scopes), await add("bob", scopes)];
      await call("POST", "devices", { body: device });
      const same = { interval: device.interval };
      expect((await make(ada.token, "devices/pump-1/interval", same)).statusCode).toBe(202);
      expect((await make(bob.token, "devices/pump-1/interval", same)).statusCode).toBe(200);
      expect(await approvals()).toEqual([]);
    });

    it("carry a call out once if two of them make the second one at the same time", async () => {
      const [ada, bob, cy] = [await add("ada", scopes), await add("bob", scopes), await add("cy", scopes)];
      await call("POST", "devices", { body: device });
      const path = "devices/pump-1/secret";
      expect((await make(ada.token, path)).statusCode).toBe(202);
      const answers = await Promise.all([bob, cy, bob, cy].map(({ token }) => make(token, path)));
      const secrets = answers.filter(({ statusCode }) => statusCode === 200);
      expect(secrets).toHaveLength(1);
      for (const { statusCode } of answers) expect([200, 202, 409]).toContain(statusCode);
      expect((await acts()).filter(({ kind }) => kind === "device")).toHaveLength(2);
    });

    it("have one approval used by one transaction, and only if it commits", async () => {
      const named = createOperators({ db, keys, writer });
      const of = (name: string) => ({ call: "POST operator/x", bodyHash: "0", name, act: { by: name, signed: null } });
      expect(await named.approve(of("ada"))).toMatchObject({ first: "ada" });
      const [bob, cy] = [await named.approve(of("bob")), await named.approve(of("cy"))];
      if (!("approval" in bob) || !("approval" in cy)) throw new Error("an approval is missing");
      const failed = db.transaction(async (tx) => {
        await bob.approval.use(tx);
        throw new Error("the act failed");
      });
      await expect(failed).rejects.toThrow("the act failed");
      expect(await approvals()).toEqual(["POST operator/x"]);
      const act = (approval: typeof bob.approval) =>
        db.transaction(async (tx) => {
          // An act with two entries in the log uses its approval once.
          for (let time = 0; time < 2; time += 1) await writer.act(tx, "done", { by: "x", signed: null, approval });
        });
      const ended = await Promise.allSettled([act(bob.approval), act(cy.approval)]);
      expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(ended.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "conflict" } });
      expect((await acts()).filter(({ subject }) => subject === "done")).toHaveLength(2);
    });
  });

  it("are recorded with each look at a person's document", async () => {
    const review = await identityReview(db, { operatorToken: TOKEN });
    const owner = await openAccount(db);
    await submit(review.app, owner.authorization);
    const [row] = await db.orm.select().from(identityCase).where(eq(identityCase.accountId, owner.id));
    const { token } = await add("ada", ["identity"]);
    const { token: reader } = await add("bob", ["read"]);
    const path = `identity/${row?.id}/document`;
    expect((await call("GET", path, { token: reader, on: review.app })).json().error_code).toBe("not_allowed");
    expect((await call("GET", path, { token, on: review.app })).statusCode).toBe(200);
    expect(await db.orm.select().from(identityDocument)).toHaveLength(1);
    expect((await entries()).at(-1)).toMatchObject({ kind: "look", subject: "identity document", by: "ada" });
    await review.stop();
  });
});
