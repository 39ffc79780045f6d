import fc from "fast-check";
import pino from "pino";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createPasswords } from "../../src/account/passwords.ts";
import { readConfig } from "../../src/config.ts";
import { connectDatabase, type Database } from "../../src/db/database.ts";
import { type Instance, startInstance } from "../../src/instance.ts";
import { openAccount, testSecret } from "../support/accounts.ts";
import { createServerDatabase } from "../support/databases.ts";
import { type LocalChain, openLocalChain } from "./local.ts";

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: object;
}

let local: LocalChain;
let instance: Instance;
/** Makes an account and opens a session of it. */
let session: () => Promise<string>;
let db: Database;
const failures: string[] = [];
const operator = "operator-token-of-the-fuzz-test-0123456789";

beforeAll(async () => {
  local = await openLocalChain();
  const databaseUrl = await createServerDatabase();
  const log = pino({ level: "error" }, { write: (line: string) => failures.push(line) });
  const config = readConfig({
    ...local.environment,
    DATABASE_URL: databaseUrl,
    DEMO_MODE: "1",
    OPERATOR_TOKEN: operator,
    SECRET_KEY: Buffer.from(testSecret).toString("hex"),
    RATE_LIMIT_ACCOUNT: "5000",
    RATE_LIMIT_API: "1000000",
    RATE_LIMIT_RPC: "1000000",
  });
  instance = await startInstance(config, log);
  await vi.waitFor(async () => expect((await fetch(`${instance.url}/ready`)).status).toBe(200), 50_000);
  db = await connectDatabase(databaseUrl);
  const passwordHash = await createPasswords().hash("moon over the tide");
  session = () =>
    db.transaction(async (tx) => {
      const inTransaction: Database = { ...db, orm: tx, transaction: (work) => work(tx) };
      return (await openAccount(inTransaction, passwordHash)).authorization;
    });
});
afterAll(async () => {
  await instance?.stop();
  await db?.close();
  await local?.remove();
});

const address = "0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f";
const value = fc.oneof(
  fc.constantFrom("", "0", "1", "-1", "1e3", "NaN", "31337", "9007199254740993", "99999999999999999999", "null", "[]"),
  fc.constantFrom(
    address,
    address.toLowerCase(),
    `0x${"0".repeat(40)}`,
    `0x${"a".repeat(64)}`,
    `0x${"00".repeat(65)}`,
    `0x${"1".repeat(32)}`,
  ),
  fc.constantFrom(
    "sahel-solar",
    "alps-hydro",
    "no-such",
    "deposit",
    "demand_deposit",
    "7d",
    "all",
    "open",
    "apy",
    "tvl",
  ),
  fc.constantFrom(
    "'; drop table product; --",
    "%",
    "_",
    "\\",
    "\u0000",
    "😀",
    "../..",
    "a".repeat(5_000),
    "2.0",
    "eth_call",
    "\u202eevil",
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const names = [
  "address",
  "hash",
  "chain_id",
  "kind",
  "amount",
  "description",
  "short_id",
  "subject",
  "message",
  "signature",
  "email",
  "password",
  "code",
  "ticket",
  "purpose",
  "country",
  "language",
  "reason",
];
const names2 = [...names, "jsonrpc", "id", "method", "params"];
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(fc.constantFrom(...names2), fc.oneof(value, fc.constant("\ud800"), fc.jsonValue({ maxDepth: 1 })), {
    maxKeys: 10,
  }),
  fc.record({
    jsonrpc: fc.constant("2.0"),
    id: fc.nat(),
    method: fc.constantFrom("eth_call", "eth_getLogs", "eth_sendRawTransaction"),
    params: fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 }),
  }),
  // Well-formed requests also reach the code behind the schemas.
  fc.record(
    {
      email: fc.constantFrom("a@aqua.example", "Ünï@aqua.example", `${"a".repeat(64)}@aqua.example`),
      password: fc.oneof(fc.constant("moon over the tide"), fc.string({ unit: "binary", minLength: 8, maxLength: 40 })),
      code: fc.constantFrom("000000", "123456"),
      purpose: fc.constantFrom("register", "reset_password"),
      ticket: fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
      country: fc.constantFrom("FR", "fr", "XX"),
      language: fc.constantFrom("en-US", "zh-CN", "xx"),
      address: fc.constantFrom(address, address.toLowerCase()),
      chain_id: fc.constantFrom(31337, 1),
      message: value,
      signature: fc.constantFrom(
        "0x00",
        `0x${"00".repeat(65)}`,
        `0x${"64926492".repeat(32)}`,
        `0x${"80108010".repeat(32)}`,
      ),
      id: value,
      reason: value,
    },
    { requiredKeys: [] },
  ),
  fc.record(
    {
      hash: fc.constantFrom(`0x${"a".repeat(64)}`, `0x${"b".repeat(64)}`),
      chain_id: fc.constant(31337),
      address: fc.constant(address),
      kind: fc.constant("deposit"),
      amount: fc.constantFrom("1", "-1.5", "9".repeat(100), "0.0000000000000000000000000001"),
      short_id: fc.constantFrom("sahel-solar", "no-such"),
      description: value,
    },
    { requiredKeys: ["hash", "chain_id", "address", "kind", "description"] },
  ),
);

/** Requests of the whole run: 10^5 in `npm run test:long`. */
const REQUESTS = process.env.AQUA_SOAK === "1" ? 100_000 : 3_600;
/** Milliseconds that a response may take. */
const PATIENCE_MS = 5_000;
/** Text that no response may contain: statements, files, stacks, details of the node's connection. */
const INTERNALS =
  /\bselect\b.+\bfrom\b|insert into|failed query|node_modules|\.ts:\d|\n {4}at |ECONN|postgres(ql)?:\/\//i;

it("no route described by OpenAPI answers 500, hangs or reveals internals for any input", async () => {
  const response = await fetch(`${instance.url}/api/v2/openapi.json`);
  const document = (await response.json()) as { paths: Record<string, Record<string, Operation>> };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  expect(operations.length).toBeGreaterThan(15);
  for (const { path, method, operation } of operations) {
    const inQuery = (operation.parameters ?? []).filter((one) => one.in === "query").map(({ name }) => name);
    const query = fc.dictionary(fc.constantFrom("other", ...inQuery), value, { maxKeys: 5 });
    // Each request has its own session, because some calls end it.
    const tokens = [await session(), `Bearer ${operator}`, `Bearer ${"A".repeat(43)}`];
    const who = fc.option(fc.constantFrom(...tokens), { nil: null });
    const inPath = fc.array(value, { minLength: 3, maxLength: 3 });
    const once = fc.option(fc.constantFrom("one-key-of-the-fuzz", "", "x".repeat(300)), { nil: null });
    await fc.assert(
      fc.asyncProperty(inPath, query, json, who, once, async (inPath, asked, body, caller, key) => {
        let next = 0;
        const filled = path.replace(/{\w+}/g, () => encodeURIComponent(inPath[next++] ?? ""));
        const response = await fetch(`${instance.url}${filled}?${new URLSearchParams(asked)}`, {
          method: method.toUpperCase(),
          headers: {
            ...(caller === null ? {} : { authorization: caller }),
            ...(key === null ? {} : { "idempotency-key": key }),
            ...(operation.requestBody ? { "content-type": "application/json" } : {}),
          },
          ...(operation.requestBody ? { body: JSON.stringify(body) } : {}),
          signal: AbortSignal.timeout(PATIENCE_MS),
        });
        // An opened stream does not end.
        const opened = response.headers.get("content-type")?.startsWith("text/event-stream");
        const text = opened ? "" : await response.text();
        if (opened) await response.body?.cancel();
        const asking = `${method} ${filled} ${JSON.stringify(asked)} ${JSON.stringify(body)}`;
        expect(response.status, `${asking}: ${text} ${failures.at(-1)}`).not.toBe(500);
        expect(response.ok ? "" : text, asking).not.toMatch(INTERNALS);
      }),
      { numRuns: Math.ceil(REQUESTS / operations.length) },
    );
  }
  expect(failures).toEqual([]);
}, 3_600_000);
