import { connect, type Socket } from "node:net";
import { sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { boundReads } from "../../src/http/reads.ts";
import { testApp } from "../support/app.ts";
import { withDatabase } from "../support/databases.ts";

withDatabase("reads of requests", (open) => {
  let db: Database;
  let app: FastifyInstance;
  let url: string;
  /** Started queries by route. Queries of an expensive route wait until the test releases them. */
  let begun: Record<string, number>;
  let goOn: () => void;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    db ??= await open();
    begun = {};
    let isHeld = true;
    const held: (() => void)[] = [];
    goOn = () => {
      isHeld = false;
      for (const one of held.splice(0)) one();
    };
    const reads = boundReads(db, async () => {}, {
      running: { total: 4, perNetwork: 2 },
      waiting: { total: 20, perNetwork: 6 },
      waitMs: 60_000,
    });
    const query = async (name: string) =>
      reads.transaction(async (tx) => {
        for (let number = 0; number < 3; number += 1) {
          await tx.execute(sql`select 1`);
          begun[name] = (begun[name] ?? 0) + 1;
          if (isHeld && name !== "cheap") await new Promise<void>((resolve) => held.push(resolve));
        }
        return { data: name };
      }, "repeatable read");
    const feature: FastifyPluginAsyncZod = async (routes) => {
      for (const name of ["dear", "other", "cheap"]) routes.get(`/${name}`, () => query(name));
      routes.get("/kept", { config: { cached: { unless: ["mine"] } } }, () => query("kept"));
    };
    ({ app } = await testApp({ db, features: [feature], readVersion: async () => "one" }));
    url = await app.listen({ port: 0, host: "127.0.0.1" });
  });
  afterEach(async () => {
    goOn();
    for (const socket of sockets.splice(0)) socket.destroy();
    await app.close();
  });

  const get = (path: string) => fetch(`${url}/api/v2/${path}`);
  /** Sends a request over its own connection, which the test can close. */
  function ask(path: string): Socket {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(`GET /api/v2/${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    sockets.push(socket);
    return socket;
  }

  it("beyond a route's queue are rejected with 503 and Retry-After, and no other route is affected", async () => {
    const hot = Array.from({ length: 40 }, () => get("dear"));
    const refused = await Promise.race(hot);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await refused.json()).toMatchObject({ error_code: "too_many_requests", retry_after: 1 });
    expect((await get("cheap")).status).toBe(200);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    goOn();
    const statuses = (await Promise.all(hot)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(8);
    expect(statuses.filter((status) => status === 503)).toHaveLength(32);
    expect((await get("dear")).status).toBe(200);
  });

  it.each([
    ["dear", "dear"],
    ["kept", "kept?mine=1"],
  ])(
    "of %s end before their next query once their caller has left, and do not start if it left earlier",
    async (name, path) => {
      const running = [ask(path), ask(path)];
      await vi.waitFor(() => expect(begun[name]).toBe(2));
      const waiting = ask(path);
      const closed = [...running, waiting].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
      for (const socket of [...running, waiting]) socket.destroy();
      await Promise.all(closed);
      // The server notices the closed connection before it answers the next request.
      await get("cheap");
      goOn();
      expect((await get(path)).status).toBe(200);
      expect(begun[name]).toBe(2 + 3);
    },
  );

  it("of a stored answer continue while anyone waits for it", async () => {
    const first = ask("kept");
    await vi.waitFor(() => expect(begun.kept).toBe(1));
    const second = get("kept");
    await get("cheap");
    first.destroy();
    await get("cheap");
    goOn();
    expect(await (await second).json()).toEqual({ data: "kept" });
    expect(begun.kept).toBe(3);
  });

  it("of a stored answer end when nobody waits for it", async () => {
    const only = ask("kept");
    await vi.waitFor(() => expect(begun.kept).toBe(1));
    only.destroy();
    await get("cheap");
    goOn();
    expect((await get("kept")).status).toBe(200);
    expect(begun.kept).toBe(1 + 3);
  });
});

describe("F21: 500 connections on one hot read", () => {
  it("are all answered by one read, and other calls are answered too", async () => {
    let reads = 0;
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const feature: FastifyPluginAsyncZod = async (routes) => {
      routes.get("/hot", { config: { cached: { unless: [] } } }, async () => {
        reads += 1;
        await held;
        return { data: "hot" };
      });
    };
    // A trusted proxy, because one address may not have this many connections.
    const { app } = await testApp({
      features: [feature],
      readVersion: async () => "one",
      config: { trustedProxies: 1 },
    });
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    const hot = Array.from({ length: 500 }, () => fetch(`${url}/api/v2/hot`));
    await vi.waitFor(() => expect(reads).toBe(1));
    for (const path of ["/health", "/api/v2/network"]) expect((await fetch(`${url}${path}`)).status).toBe(200);
    goOn();
    const statuses = new Set((await Promise.all(hot)).map(({ status }) => status));
    expect([...statuses]).toEqual([200]);
    expect(reads).toBe(1);
    await app.close();
  });
});
