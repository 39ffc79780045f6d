import { once } from "node:events";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { connectDatabase, type Database } from "../../src/db/database.ts";
import { isDatabaseAway } from "../../src/errors.ts";
import { createLog } from "../../src/log.ts";
import { testApp } from "../support/app.ts";

/** Stands between a test and PostgreSQL, and is unplugged without a word to either. */
class Plug {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  port = 0;

  constructor(socketPath: string) {
    this.#server = createServer((socket) => {
      const other = createConnection(socketPath);
      for (const [one, two] of [
        [socket, other],
        [other, socket],
      ] as const) {
        this.#sockets.add(one);
        one.on("error", () => {});
        one.on("close", () => two.destroy());
        one.pipe(two);
      }
    });
  }

  async in(): Promise<void> {
    this.#server.listen(this.port, "127.0.0.1");
    await once(this.#server, "listening");
    this.port = (this.#server.address() as { port: number }).port;
  }

  async out(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await closed;
  }
}

let plug: Plug;
let db: Database;
let app: FastifyInstance;
let logged: string[];
const lines: { level: number; msg: string; failed_queries?: number }[] = [];
const returned = vi.fn();

beforeAll(async () => {
  const folder = decodeURIComponent(new URL(inject("postgresUrl")).hostname);
  plug = new Plug(`${folder}/.s.PGSQL.5432`);
  await plug.in();
  const log = createLog(readConfig({ LOG_LEVEL: "info" }), (line) => lines.push(JSON.parse(line)));
  db = await connectDatabase(`postgresql://aqua@127.0.0.1:${plug.port}/postgres`, { log });
  db.onReturn(returned);
  const feature: FastifyPluginAsyncZod = async (scope) => {
    scope.get("/one", async () => ({ data: (await db.orm.execute(sql`select 1 as n`)).rows }));
    scope.get("/two", async () => ({ data: (await db.transaction((tx) => tx.execute(sql`select 2 as n`))).rows }));
    scope.get("/wrong", async () => ({ data: (await db.orm.execute(sql`select 1 / 0`)).rows }));
  };
  ({ app, logged } = await testApp({ db, features: [feature] }));
});
afterAll(async () => {
  await app?.close();
  await db?.close();
  await plug?.out();
});

it("the server answers 503 with Retry-After while the database is away, logs it once, and wakes waiters when it is back", async () => {
  const get = (path: string) => app.inject(`/api/v2/${path}`);
  // Several open connections, which break.
  await Promise.all(Array.from({ length: 6 }, () => get("two")));
  await plug.out();
  for (let count = 0; count < 12; count += 1) {
    for (const path of ["one", "two"]) {
      const answer = await get(path);
      expect([answer.statusCode, answer.headers["retry-after"]], answer.body).toEqual([503, "2"]);
      expect(answer.json()).toMatchObject({ message: expect.stringContaining("cannot reach its database") });
      expect(answer.body).not.toMatch(/select|ECONN/);
    }
  }
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [50, "the database does not answer; queries fail until it does"],
  ]);
  expect(logged.filter((line) => line.includes("request failed"))).toEqual([]);
  expect(returned).not.toHaveBeenCalled();

  await plug.in();
  await expect.poll(() => returned.mock.calls.length).toBe(1);
  expect(lines.slice(1)).toMatchObject([{ level: 40, msg: "the database answers again" }]);
  expect(lines[1]?.failed_queries).toBeGreaterThanOrEqual(24);
  // No connection was lost to the pool.
  const answers = await Promise.all(Array.from({ length: 12 }, () => get("two")));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
});

it("the server survives a loss of the database in the middle of a transaction", async () => {
  const goingOn = db.transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    await plug.out();
    await tx.execute(sql`select 2`);
  });
  expect(isDatabaseAway(await goingOn.catch((error: unknown) => error))).toBe(true);
  await plug.in();
  await expect
    .poll(() =>
      db.ping().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
});

it("the server does not treat other failures as a loss of the database", async () => {
  expect((await app.inject("/api/v2/wrong")).statusCode).toBe(500);
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:8545"), { code: "ECONNREFUSED" });
  expect(isDatabaseAway(new Error("the node does not answer", { cause: refused }))).toBe(false);
  expect(isDatabaseAway(await db.orm.execute(sql`select 1 / 0`).catch((error: unknown) => error))).toBe(false);
});

it("the server logs a query that failed without a database at level debug", async () => {
  await plug.out();
  const error = await db.orm.execute(sql`select 1`).catch((failure: unknown) => failure);
  await plug.in();
  const seen: { level: number; msg: string }[] = [];
  const log = createLog(readConfig({ LOG_LEVEL: "debug" }), (line) => seen.push(JSON.parse(line)));
  log.warn({ err: error }, "jobs cannot be read");
  log.warn({ err: new Error("other") }, "a job failed");
  expect(seen.map(({ level, msg }) => [level, msg])).toEqual([
    [20, "jobs cannot be read"],
    [40, "a job failed"],
  ]);
});
