import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { limitUse } from "../../src/limits/schema.ts";
import { withDatabase } from "../support/databases.ts";
import { counting } from "../support/queries.ts";
import { type AccountWorld, openAccounts, PASSWORD } from "./world.ts";

const KNOWN = "known@aqua.example";
const UNKNOWN = "other@aqua.example";

withDatabase("the existence of an account", (open) => {
  let db: Database;
  let world: AccountWorld;
  let queries: ReturnType<typeof counting>["queries"];
  beforeAll(async () => {
    ({ db, queries } = counting(await open()));
    world = await openAccounts(db);
    await world.register(KNOWN);
    // The answers contain the remaining seconds, so the clock stands still between the two calls of a pair.
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterAll(async () => {
    vi.useRealTimers();
    await world.close();
  });

  /** Records the response that a caller sees, and the work that decides how long it takes. */
  async function trace(path: string, body: object) {
    await db.orm.delete(limitUse);
    const hashes = world.hashes();
    queries.length = 0;
    const response = await world.post(path, body);
    const { request_id: _, ...answer } = response.json();
    // Headers that differ between calls, regardless of the caller.
    const changing = ["date", "x-ratelimit-remaining", "x-ratelimit-reset", "x-request-id"];
    const headers = Object.fromEntries(Object.entries(response.headers).filter(([name]) => !changing.includes(name)));
    return {
      status: response.statusCode,
      answer,
      headers,
      hashes: world.hashes() - hashes,
      queries: [...queries],
    };
  }

  const calls: [name: string, path: string, body: (email: string) => object, status: number][] = [
    ["logging in with a wrong password", "login", (email) => ({ email, password: "not the password" }), 401],
    ["asking for a code to register", "send-verification-code", (email) => ({ email, purpose: "register" }), 200],
    ["asking again within the minute", "send-verification-code", (email) => ({ email, purpose: "register" }), 200],
    ["asking for a new password", "forget-password", (email) => ({ email }), 200],
    ["asking for that as a code", "send-verification-code", (email) => ({ email, purpose: "reset_password" }), 200],
    ["trying a code", "verify-email", (email) => ({ email, code: "000000", purpose: "reset_password" }), 400],
    ["trying another", "verify-email", (email) => ({ email, code: "000001", purpose: "register" }), 400],
    [
      "registering without a ticket",
      "register",
      (email) => ({ email, password: PASSWORD, ticket: "x", country: "FR" }),
      400,
    ],
    [
      "setting a password without a ticket",
      "reset-password",
      (email) => ({ email, password: PASSWORD, ticket: "x" }),
      400,
    ],
  ];

  it.each(calls)(
    "is not revealed by %s: answers, headers, queries and hashes are the same",
    async (_, path, body, status) => {
      const known = await trace(path, body(KNOWN));
      const unknown = await trace(path, body(UNKNOWN));
      expect(known.status).toBe(status);
      expect(known.queries.length).toBeGreaterThan(0);
      expect(unknown).toEqual(known);
      expect(known.hashes).toBe(path === "login" ? 1 : 0);
    },
  );
});
