import { deskSessionMs } from "@aqua/sdk/api/desk";
import type { AddedOperator } from "@aqua/sdk/api/operator";
import { eq, sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { createKeys } from "../../src/keys.ts";
import { createDesk } from "../../src/operators/desk.ts";
import { createOperatorFeature } from "../../src/operators/feature.ts";
import { operator, operatorPasskey, operatorSession } from "../../src/operators/schema.ts";
import { publicLogEntry } from "../../src/publicLog/schema.ts";
import { softwarePasskey } from "../account/authenticator.ts";
import { testSecret } from "../support/accounts.ts";
import { testApp } from "../support/app.ts";
import { withDatabase } from "../support/databases.ts";
import { operatorAccess, publicLogOf } from "../support/publicLog.ts";

const TOKEN = "t".repeat(40);
const ORIGIN = "https://aqua.example";

withDatabase("the desk", (open) => {
  let db: Database;
  let app: FastifyInstance;
  let signedApp: FastifyInstance;
  const keys = createKeys(testSecret);

  beforeAll(async () => {
    db = await open();
    await publicLogOf(db, keys);
    const appOf = async (access: ReturnType<typeof operatorAccess>) =>
      (await testApp({ features: createOperatorFeature(access).routes ?? [] })).app;
    app = await appOf(operatorAccess(db, keys, { token: TOKEN }));
    const operators = [privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as `0x${string}`];
    signedApp = await appOf(operatorAccess(db, keys, { token: TOKEN, operators, fourEyes: ["identity"] }));
  });
  afterAll(() => Promise.all([app?.close(), signedApp?.close()]));
  beforeEach(async () => {
    await db.orm.execute(sql`truncate operator, operator_passkey, operator_session, limit_use cascade`);
    await db.orm.delete(publicLogEntry);
  });

  async function call(method: "GET" | "POST", path: string, { token, body, on = app }: Call = {}) {
    const response = await on.inject({
      method,
      url: `/api/v2/operator/${path}`,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { payload: body }),
    });
    const { data, error_code } = response.json();
    return { status: response.statusCode, data, error: error_code };
  }
  interface Call {
    token?: string;
    body?: object;
    on?: FastifyInstance;
  }
  async function add(name: string, more: object = {}): Promise<string> {
    const { data } = await call("POST", "operators", { token: TOKEN, body: { name, scopes: ["read"], ...more } });
    return (data as AddedOperator).token;
  }
  async function addPasskey(token: string, { only, on = app }: { only?: boolean; on?: FastifyInstance } = {}) {
    const passkey = softwarePasskey(ORIGIN);
    const { data } = await call("POST", "desk/passkey/new", { token, on });
    const body = { passkey: passkey.register(data.challenge), ...(only === undefined ? {} : { only }) };
    return { passkey, answer: await call("POST", "desk/passkey", { token, body, on }) };
  }
  async function logIn(passkey: ReturnType<typeof softwarePasskey>, how: { verified?: boolean } = {}) {
    const { data } = await call("POST", "desk/login/options");
    return call("POST", "desk/login", { body: { passkey: passkey.use(data.challenge, how) } });
  }

  it("opens for a passkey that an operator added with their own token, with the operator's scopes", async () => {
    const token = await add("ada");
    const { passkey, answer } = await addPasskey(token);
    expect(answer).toMatchObject({ status: 200, data: { name: "ada", passkeys: 1 } });
    const { data: session } = await logIn(passkey);
    expect(session).toMatchObject({ name: "ada", scopes: ["read"] });
    expect(await call("GET", "desk", { token: session.token })).toMatchObject({
      data: { name: "ada", scopes: ["read"], expires_at: session.expires_at, signs: false, four_eyes: [] },
    });
    // The log-in allows no more than the operator's scopes.
    expect(
      (await call("POST", "operators", { token: session.token, body: { name: "eve", scopes: ["read"] } })).error,
    ).toBe("not_allowed");
    const stored = JSON.stringify(await db.orm.select().from(operatorSession));
    expect(stored).not.toContain(session.token);
    expect(await call("POST", "desk/logout", { token: session.token })).toMatchObject({ data: { ended: true } });
    expect((await call("GET", "desk", { token: session.token })).error).toBe("token_error");
  });

  it("says whether changes need a signature or two operators; a passkey needs none", async () => {
    const token = await add("ada");
    const { answer } = await addPasskey(token, { on: signedApp });
    expect(answer.status).toBe(200);
    expect((await call("GET", "desk", { token, on: signedApp })).data).toEqual({
      ...{ name: "ada", scopes: ["read"], expires_at: null, signs: true, four_eyes: ["identity"] },
    });
  });

  it("adds no passkey for the token of the instance, for a log-in, or without a token", async () => {
    const { passkey } = await addPasskey(await add("ada"));
    const { data: session } = await logIn(passkey);
    for (const token of [TOKEN, session.token])
      expect((await call("POST", "desk/passkey/new", { token })).error).toBe("not_allowed");
    for (const token of [undefined, "", "aqua_x", "desk_x"])
      expect((await call("POST", "desk/passkey/new", { token: token as string })).error).toBe("token_error");
  });

  it("accepts a challenge once, only for the operator and the use it was made for, and only from a verified user", async () => {
    const [ada, bob] = [await add("ada"), await add("bob")];
    const { data: forAda } = await call("POST", "desk/passkey/new", { token: ada });
    const stranger = softwarePasskey(ORIGIN).register(forAda.challenge);
    expect((await call("POST", "desk/passkey", { token: bob, body: { passkey: stranger } })).error).toBe(
      "signature_invalid",
    );
    const { passkey } = await addPasskey(ada);
    expect((await logIn(passkey, { verified: false })).error).toBe("login_failed");
    const { data } = await call("POST", "desk/login/options");
    const body = { passkey: passkey.use(data.challenge) };
    expect((await call("POST", "desk/login", { body })).status).toBe(200);
    expect((await call("POST", "desk/login", { body })).error).toBe("login_failed");
    expect((await logIn(softwarePasskey(ORIGIN))).error).toBe("login_failed");
  });

  it("ends the other passkeys and log-ins of the operator when the new passkey is to be the only one", async () => {
    const token = await add("ada");
    const { passkey: lost } = await addPasskey(token);
    const { data: session } = await logIn(lost);
    const { passkey, answer } = await addPasskey(token, { only: true });
    expect(answer.data.passkeys).toBe(1);
    expect((await call("GET", "desk", { token: session.token })).error).toBe("token_error");
    expect((await logIn(lost)).error).toBe("login_failed");
    expect((await logIn(passkey)).status).toBe(200);
  });

  it("closes when the log-in is ten hours old, and when the operator is revoked or expires", async () => {
    const { passkey } = await addPasskey(await add("ada"));
    const { data: session } = await logIn(passkey);
    const { named } = operatorAccess(db, keys, { token: TOKEN });
    const deskAt = (now: number) => createDesk({ db, keys, named, publicUrl: ORIGIN }, () => now);
    expect(await deskAt(session.expires_at - 1).find(session.token)).not.toBeNull();
    expect(await deskAt(session.expires_at).find(session.token)).toBeNull();
    expect(session.expires_at - Date.now()).toBeLessThanOrEqual(deskSessionMs);
    await deskAt(session.expires_at).deleteExpired();
    expect(await db.orm.$count(operatorSession)).toBe(0);
    const { data: other } = await logIn(passkey);
    await call("POST", "operators/ada/revoke", { token: TOKEN });
    expect((await call("GET", "desk", { token: other.token })).error).toBe("token_error");
    expect((await logIn(passkey)).error).toBe("login_failed");
    expect(await db.orm.$count(operatorPasskey)).toBe(0);
  });

  it("opens nothing for a passkey or a log-in that was moved to another operator in the database", async () => {
    const { passkey } = await addPasskey(await add("ada"));
    await add("root", { scopes: ["identity", "operations"] });
    const { data: session } = await logIn(passkey);
    await db.orm.update(operatorSession).set({ operator: "root" });
    expect((await call("GET", "desk", { token: session.token })).error).toBe("token_error");
    await db.orm.update(operatorPasskey).set({ operator: "root" });
    expect((await logIn(passkey)).error).toBe("login_failed");
  });

  it("is closed while the operator's row differs from the public log", async () => {
    const { passkey } = await addPasskey(await add("ada"));
    const { data: session } = await logIn(passkey);
    await db.orm.update(operator).set({ scopes: "identity,read" }).where(eq(operator.name, "ada"));
    expect((await call("GET", "desk", { token: session.token })).error).toBe("record_differs");
    expect((await logIn(passkey)).error).toBe("record_differs");
  });
});
