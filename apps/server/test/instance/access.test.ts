import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createPasswords } from "../../src/account/passwords.ts";
import { account, accountSession } from "../../src/account/schema.ts";
import { readConfig } from "../../src/config.ts";
import { connectDatabase, type Database } from "../../src/db/database.ts";
import { identityCase } from "../../src/identity/schema.ts";
import { insertCase } from "../../src/identity/store.ts";
import { type Instance, startInstance } from "../../src/instance.ts";
import { createKeys } from "../../src/keys.ts";
import { limitUse } from "../../src/limits/schema.ts";
import { mailOutbox } from "../../src/mail/schema.ts";
import { accountWallet } from "../../src/records/schema.ts";
import { linkWallet, logIn, openAccount, stateAccount, type TestAccount, testSecret } from "../support/accounts.ts";
import { createServerDatabase } from "../support/databases.ts";
import { png, submissionForm } from "../support/identity.ts";
import { type LocalChain, openLocalChain } from "./local.ts";

const OPERATOR = "operator-token-of-the-access-test-0123456789";
const WALLET_A = "0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f";

/**
 * Permitted callers of a route: anyone, a session, both (a dead session gets an error), the operator, or an outside
 * provider.
 */
type Who = "anyone" | "session" | "either" | "operator" | "provider";
interface Route {
  who: Who;
  /** The request of B, with A's ids in place of its own. */
  body?: (ids: Ids) => object;
  form?: true;
}
interface Ids {
  session: string;
  case: string;
}

const message = { message: "no message of ours", signature: "0x00" };
const wallet = { address: WALLET_A, chain_id: 31337 };
const registration = { email: "new@aqua.example", password: "moon over the tide", ticket: "x", country: "FR" };

/** All routes. A new route must be added here before it may be served. */
const routes: Record<string, Route> = {
  "GET /health": { who: "anyone" },
  "GET /live": { who: "anyone" },
  "GET /.well-known/security.txt": { who: "anyone" },
  "GET /ready": { who: "anyone" },
  "GET /metrics": { who: "anyone" },
  "POST /rpc/{chainId}": { who: "anyone", body: () => ({ jsonrpc: "2.0", id: 1, method: "eth_chainId" }) },
  "GET /api/v2/network": { who: "anyone" },
  "GET /api/v2/legal/{name}": { who: "anyone" },
  "POST /api/v2/client/error": { who: "anyone" },
  "GET /api/v2/events": { who: "either" },
  "GET /api/v2/product/list": { who: "anyone" },
  "GET /api/v2/product/summary": { who: "anyone" },
  "GET /api/v2/product/home": { who: "anyone" },
  "GET /api/v2/product/{shortId}": { who: "anyone" },
  "GET /api/v2/product/{shortId}/image": { who: "anyone" },
  "GET /api/v2/document/{hash}": { who: "anyone" },
  "GET /api/v2/product/{shortId}/liquidity": { who: "anyone" },
  "GET /api/v2/product/{shortId}/performance": { who: "anyone" },
  "GET /api/v2/product/{shortId}/queue": { who: "anyone" },
  "GET /api/v2/product/{shortId}/announcements": { who: "anyone" },
  "GET /api/v2/product/{shortId}/transactions": { who: "anyone" },
  "GET /api/v2/product/{shortId}/devices": { who: "anyone" },
  "GET /api/v2/product/{shortId}/readings": { who: "anyone" },
  "GET /api/v2/product/{shortId}/income": { who: "anyone" },
  "GET /api/v2/product/{shortId}/income/next": { who: "anyone" },
  "GET /api/v2/product/{shortId}/income/{hash}": { who: "anyone" },
  "GET /api/v2/transparency/devices": { who: "anyone" },
  "GET /api/v2/transparency/devices/{name}/readings": { who: "anyone" },
  "GET /api/v2/transparency/refused": { who: "anyone" },
  "GET /api/v2/transparency/summary": { who: "anyone" },
  "GET /api/v2/transparency/acts": { who: "anyone" },
  "GET /api/v2/transparency/recoveries": { who: "anyone" },
  "GET /api/v2/transparency/audit": { who: "anyone" },
  "GET /api/v2/transparency/anchors": { who: "anyone" },
  "GET /api/v2/transparency/losses": { who: "anyone" },
  "GET /api/v2/transparency/anchors/{shortId}/{number}": { who: "anyone" },
  "GET /api/v2/transparency/proof/{device}/{seq}": { who: "anyone" },
  // On-chain data of a wallet is public. The owner of the wallet is not part of it.
  "GET /api/v2/account/totalHoldValue/{address}": { who: "anyone" },
  "GET /api/v2/account/hold/{address}": { who: "anyone" },
  "GET /api/v2/account/transaction/{address}": { who: "anyone" },
  "GET /api/v2/account/totalProfit/{address}": { who: "anyone" },
  "GET /api/v2/account/requests/{address}": { who: "anyone" },
  "GET /api/v2/account/statement/{address}": { who: "anyone" },
  "GET /api/v2/account/incomeProof/{address}": { who: "anyone" },
  "GET /api/v2/account/checkAddress/{address}": { who: "anyone" },
  "GET /api/v2/account/getPendingTransaction": { who: "anyone" },
  "POST /api/v2/account/addPendingTransaction": {
    who: "anyone",
    body: () => ({ ...wallet, hash: `0x${"a".repeat(64)}`, kind: "deposit", description: "a deposit" }),
  },
  "POST /api/v2/account/login": { who: "anyone", body: () => ({ email: "no@aqua.example", password: "x" }) },
  "POST /api/v2/account/send-verification-code": {
    who: "anyone",
    body: () => ({ email: registration.email, purpose: "register" }),
  },
  "POST /api/v2/account/forget-password": { who: "anyone", body: () => ({ email: registration.email }) },
  "POST /api/v2/account/verify-email": {
    who: "anyone",
    body: () => ({ email: registration.email, code: "000000", purpose: "register" }),
  },
  "POST /api/v2/account/register": { who: "anyone", body: () => registration },
  "POST /api/v2/account/reset-password": { who: "anyone", body: () => registration },
  "POST /api/v2/account/getSignMessage": { who: "either", body: () => wallet },
  "POST /api/v2/account/authenticate": { who: "either", body: () => message },
  "POST /api/v2/account/logout": { who: "session" },
  "GET /api/v2/account/info": { who: "session" },
  "GET /api/v2/account/sessions": { who: "session" },
  "POST /api/v2/account/sessions/end": { who: "session", body: ({ session }) => ({ id: session }) },
  "GET /api/v2/account/export": { who: "session" },
  "GET /api/v2/account/security": { who: "session" },
  "GET /api/v2/account/events": { who: "session" },
  "POST /api/v2/account/confirm": { who: "session", body: () => ({ password: "moon over the tide" }) },
  "POST /api/v2/account/confirm/code": { who: "session" },
  "POST /api/v2/account/change-password": { who: "session", body: () => ({ password: "a lamp in the harbour" }) },
  "POST /api/v2/account/change-email/code": { who: "session", body: () => ({ email: "new@aqua.example" }) },
  "POST /api/v2/account/change-email": {
    who: "session",
    body: () => ({ email: "new@aqua.example", code: "000000" }),
  },
  "POST /api/v2/account/passkeys/options": { who: "anyone" },
  "POST /api/v2/account/passkeys/login": { who: "anyone", body: () => ({ passkey: { id: "x" } }) },
  "POST /api/v2/account/passkeys/new": { who: "session" },
  "POST /api/v2/account/passkeys/add": { who: "session", body: () => ({ name: "x", passkey: { id: "x" } }) },
  "POST /api/v2/account/totp/new": { who: "session" },
  "POST /api/v2/account/totp/add": { who: "session", body: () => ({ code: "000000" }) },
  "POST /api/v2/account/factors/remove": { who: "session", body: () => ({ id: "totp" }) },
  "POST /api/v2/account/recovery-codes": { who: "session" },
  // The token in the mail's link is the right to stop one switch.
  "POST /api/v2/account/switch/stop": { who: "either", body: () => ({}) },
  "POST /api/v2/account/wallets/unlink": { who: "session", body: () => ({ address: `0x${"1".repeat(40)}` }) },
  "POST /api/v2/account/switch/sign": { who: "session", body: () => ({ signature: "0x00" }) },
  "GET /api/v2/account/notifications": { who: "session" },
  "POST /api/v2/account/notifications": { who: "session", body: () => ({ kinds: { income: true } }) },
  // The token in the link is the right to stop one kind of mails.
  "GET /api/v2/account/unsubscribe": { who: "anyone" },
  "POST /api/v2/account/unsubscribe": { who: "anyone" },
  "POST /api/v2/account/delete": { who: "session", body: () => ({ password: "moon over the tide" }) },
  "GET /api/v2/account/identity": { who: "session" },
  "POST /api/v2/account/identity": { who: "session", form: true },
  "GET /api/v2/operator/identity": { who: "operator" },
  "GET /api/v2/operator/identity/{id}": { who: "operator" },
  "GET /api/v2/operator/identity/{id}/document": { who: "operator" },
  "POST /api/v2/operator/identity/{id}/approve": { who: "operator", body: () => ({}) },
  "POST /api/v2/operator/identity/{id}/reject": { who: "operator", body: () => ({ reason: "no reason" }) },
  "POST /api/v2/operator/identity/{id}/revoke": { who: "operator", body: () => ({ reason: "no reason" }) },
  // The signature of a reading is its credential.
  "POST /api/v2/telemetry": { who: "anyone", body: () => ({ readings: [{ device: "no-such" }] }) },
  "GET /api/v2/operator/operators": { who: "operator" },
  "POST /api/v2/operator/operators": { who: "operator", body: () => ({ name: "ada", scopes: ["read"] }) },
  "POST /api/v2/operator/operators/{name}/revoke": { who: "operator" },
  "POST /api/v2/operator/account/accept": { who: "operator", body: () => ({ email: "nobody@aqua.example" }) },
  "POST /api/v2/operator/account/logout": { who: "operator", body: () => ({ email: "nobody@aqua.example" }) },
  "GET /api/v2/operator/desk": { who: "operator" },
  "POST /api/v2/operator/desk/login/options": { who: "anyone" },
  "POST /api/v2/operator/desk/login": { who: "anyone", body: () => ({ passkey: { id: "x" } }) },
  "POST /api/v2/operator/desk/passkey/new": { who: "operator" },
  "POST /api/v2/operator/desk/passkey": { who: "operator", body: () => ({ passkey: { id: "x" } }) },
  "POST /api/v2/operator/desk/logout": { who: "operator" },
  "GET /api/v2/operator/status": { who: "operator" },
  "POST /api/v2/operator/jobs/retry": { who: "operator", body: () => ({}) },
  "GET /api/v2/operator/webhooks": { who: "operator" },
  "POST /api/v2/operator/webhooks/replay": { who: "operator", body: () => ({}) },
  "GET /api/v2/operator/devices": { who: "operator" },
  "POST /api/v2/operator/devices": { who: "operator", body: () => ({}) },
  "POST /api/v2/operator/devices/{name}/secret": { who: "operator" },
  "POST /api/v2/operator/devices/{name}/retire": { who: "operator" },
  "POST /api/v2/operator/devices/{name}/interval": { who: "operator", body: () => ({ interval: 60_000 }) },
  "POST /api/v2/operator/devices/{name}/declare-lost": { who: "operator", body: () => ({ reason: "x" }) },
  "POST /api/v2/operator/batches": { who: "operator", body: () => ({}) },
  "POST /api/v2/operator/log/restore": { who: "operator", body: () => ({}) },
  "GET /api/v2/log/checkpoint": { who: "anyone" },
  "GET /api/v2/log/key": { who: "anyone" },
  "POST /api/v2/operator/batches/declare-lost": { who: "operator", body: () => ({}) },
  "POST /api/v2/identity/callback": { who: "provider", body: () => ({}) },
  // These routes exist only in a demo on the local chain.
  "GET /api/v2/dev/outbox": { who: "anyone" },
  "POST /api/v2/dev/faucet": { who: "anyone", body: () => ({ address: WALLET_A }) },
};

let local: LocalChain;
let instance: Instance;
let db: Database;
let a: TestAccount;
let b: TestAccount;
let unverified: TestAccount;
let ids: Ids;
let dead: string;
const failures: string[] = [];

beforeAll(async () => {
  local = await openLocalChain();
  const databaseUrl = await createServerDatabase();
  const settings = {
    DATABASE_URL: databaseUrl,
    RATE_LIMIT_API: "1000000",
    RATE_LIMIT_ACCOUNT: "5000",
    DEMO_MODE: "1",
    SECRET_KEY: Buffer.from(testSecret).toString("hex"),
    OPERATOR_TOKEN: OPERATOR,
    IDENTITY_PROVIDER: "webhook",
    IDENTITY_WEBHOOK_URL: "http://127.0.0.1:9/",
    IDENTITY_WEBHOOK_SECRET: "secret-of-the-access-test-0123456789",
  };
  const log = pino({ level: "error" }, { write: (line: string) => failures.push(line) });
  instance = await startInstance(readConfig({ ...local.environment, ...settings }), log);
  // Before the server is ready, its answers to some calls change.
  await vi.waitFor(async () => expect((await fetch(`${instance.url}/ready`)).status).toBe(200));
  db = await connectDatabase(databaseUrl);
  const passwordHash = await createPasswords().hash("wind along the shore");
  const open = () => openAccount(db, passwordHash);
  [a, b, unverified] = [await open(), await open(), await open()];
  for (const verified of [a, b]) await verify(verified.id);
  await linkWallet(db, a, WALLET_A, async () => `0x${"00".repeat(65)}`);
  await db.orm.insert(mailOutbox).values({
    id: "of-a",
    recipient: a.email,
    subject: "a",
    text: "a",
    html: "a",
    createTime: Date.now(),
  });
  const [submitted] = await db.orm.select().from(identityCase).where(eq(identityCase.accountId, a.id));
  ids = { session: "", case: submitted?.id ?? "" };
  dead = await logIn(db, b.id);
  expect((await call("POST /api/v2/account/logout", dead)).status).toBe(200);
});
afterAll(async () => {
  await instance?.stop();
  await db?.close();
  await local?.remove();
});

// The tests in which A ends its own sessions must not affect the others.
beforeEach(async () => {
  // The wrong operator tokens of one test must not affect the next test.
  await db.orm.delete(limitUse);
  a.authorization = await logIn(db, a.id);
  const sessions = JSON.parse((await call("GET /api/v2/account/sessions", a.authorization)).text);
  ids.session = sessions.data.find((one: { current: boolean }) => one.current).id;
});

/** Simulates that the operator approved the account's submission, sealed with the secret of this instance. */
async function verify(accountId: string): Promise<void> {
  const keys = createKeys(testSecret);
  const now = Date.now();
  const decided = { status: "verified", decideTime: now, validUntil: now + 365 * 86_400_000 } as const;
  const submitted = { provider: "manual", country: "FR", documentKind: "passport", submitTime: now } as const;
  const person = { name: "Ada Lovelace", birth_date: "1990-12-10" };
  const document = { type: "image/png", content: png } as const;
  await insertCase(db.orm, {
    keys,
    row: { id: randomUUID(), accountId, ...submitted, status: "pending" },
    person,
    document,
  });
  await db.orm.update(identityCase).set(decided).where(eq(identityCase.accountId, accountId));
  await stateAccount(db, accountId);
}

interface Answer {
  status: number;
  code: string | undefined;
  text: string;
  cache: string | null;
}

/** Calls a route with A's ids in every parameter that takes an id. */
async function call(name: string, authorization?: string): Promise<Answer> {
  const [method = "", path = ""] = name.split(" ");
  const { body, form } = routes[name] ?? { who: "anyone" };
  const values: Record<string, string> = {
    address: WALLET_A,
    id: ids?.case ?? "",
    shortId: "no-such",
    name: "no-such",
    device: "no-such",
    seq: "1",
    number: "1",
    chainId: "31337",
  };
  const filled = path.replace(/{(\w+)}/g, (_, key: string) => values[key] ?? "");
  const sent = form ? await submissionForm() : null;
  const type = sent?.type ?? (body ? "application/json" : null);
  const over = new AbortController();
  const response = await fetch(`${instance.url}${filled}?address=${WALLET_A}&email=${a?.email ?? ""}&from=0&to=1`, {
    method,
    headers: { ...(authorization ? { authorization } : {}), ...(type ? { "content-type": type } : {}) },
    ...(sent ? { body: new Uint8Array(sent.payload) } : body ? { body: JSON.stringify(body(ids)) } : {}),
    signal: over.signal,
  });
  const { status } = response;
  const cache = response.headers.get("cache-control");
  // A stream does not end, so it is enough that it opened.
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
    over.abort();
    return { status, code: undefined, text: "", cache };
  }
  const text = await response.text();
  const code = response.ok ? undefined : (JSON.parse(text) as { error_code: string }).error_code;
  return { status, code, text, cache };
}

const named = (...who: Who[]) => Object.keys(routes).filter((name) => who.includes(routes[name]?.who ?? "anyone"));
const garbage = `Bearer ${"A".repeat(43)}`;

it("this file lists every route of the server and its permitted callers", async () => {
  const response = await fetch(`${instance.url}/api/v2/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(Object.keys(routes).sort()).toEqual(served.sort());
});

describe("for anyone", () => {
  it.each(named("anyone"))("%s answers a visitor, the unverified, A and B alike", async (name) => {
    const nobody = await call(name);
    expect([401, 403]).not.toContain(name.endsWith("/login") ? 200 : nobody.status);
    for (const one of [unverified, a, b]) {
      const { status, code } = await call(name, one.authorization);
      // A repeated call may exceed a limit.
      if (status !== 429) expect({ status, code }).toEqual({ status: nobody.status, code: nobody.code });
    }
  });
});

describe("for a session", () => {
  it.each(named("session", "either"))("%s accepts only a valid token, and only in its header", async (name) => {
    const refused = name.endsWith("/logout") ? "logout_error" : "token_error";
    const tokens = [garbage, dead, "Bearer ", `Basic ${a.authorization.slice(7)}`, `Bearer ${OPERATOR}`];
    if (routes[name]?.who === "session") tokens.push("");
    for (const token of tokens) expect((await call(name, token)).code, token).toBe(refused);
    const [, path] = name.split(" ");
    const inQuery = await fetch(`${instance.url}${path}?token=${a.authorization.slice(7)}`, {
      method: name.split(" ")[0] ?? "GET",
    });
    if (name === "GET /api/v2/events") {
      // This route is open to everyone and ignores tokens.
      expect(inQuery.ok).toBe(true);
      await inQuery.body?.cancel();
    } else expect(inQuery.ok).toBe(false);
  });

  it.each(named("session", "either"))(
    "%s answers the unverified, A and B, and forbids caches to store the answer",
    async (name) => {
      for (const one of [unverified, a, b]) {
        const answer = await call(name, await logIn(db, one.id));
        expect([undefined, "conflict", "login_failed", "code_invalid", "signature_invalid", "not_found"]).toContain(
          answer.code,
        );
        expect(answer.cache).toBe("no-store");
      }
    },
  );
});

describe("for the operator and the provider", () => {
  it.each(named("operator"))("%s is rejected for everyone else", async (name) => {
    for (const token of [undefined, garbage, a.authorization, b.authorization]) {
      expect((await call(name, token)).status).toBe(401);
    }
    expect((await call(name, `Bearer ${OPERATOR}`)).status).not.toBe(401);
  });

  it.each(named("provider"))("%s is rejected without the provider's signature, with any token", async (name) => {
    for (const token of [undefined, a.authorization, `Bearer ${OPERATOR}`]) {
      expect((await call(name, token)).status).toBe(401);
    }
  });
});

it("calls of B with A's ids reveal and change nothing of A", async () => {
  const everything = async () => {
    const { data: info } = JSON.parse((await call("GET /api/v2/account/info", a.authorization)).text);
    const identity = JSON.parse((await call("GET /api/v2/account/identity", a.authorization)).text);
    const sessions = await db.orm.select().from(accountSession).where(eq(accountSession.accountId, a.id));
    const wallets = await db.orm.select().from(accountWallet).where(eq(accountWallet.accountId, a.id));
    const [row] = await db.orm.select().from(account).where(eq(account.id, a.id));
    // The record on chain is left out, because its job changes it at any time.
    return { email: info.email, identity, sessions: sessions.map(({ id }) => id).sort(), wallets, row };
  };
  const before = await everything();
  const secrets = [a.id, a.email, a.subject, ids.session, ids.case];
  for (const name of Object.keys(routes)) {
    if (routes[name]?.who === "operator" || name.endsWith("/dev/outbox")) continue;
    for (const token of [undefined, await logIn(db, b.id), await logIn(db, unverified.id)]) {
      const { text } = await call(name, token);
      for (const secret of secrets) expect(text, name).not.toContain(secret);
    }
  }
  expect(await everything()).toEqual(before);
});

it("the server has logged no internal failure during these calls", () => {
  expect(failures.map((line) => JSON.parse(line).err?.message ?? line)).toEqual([]);
});
