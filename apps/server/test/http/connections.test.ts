import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import Fastify from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { answerClientError, type ConnectionLimits, registerConnectionLimits } from "../../src/http/connections.ts";
import { registerErrors } from "../../src/http/errors.ts";
import { testApp } from "../support/app.ts";

/** Connections of the attack: enough for every place a route had. */
const SILENT = 110;

const echo: FastifyPluginAsyncZod = async (app) => {
  app.post("/echo", { schema: { body: z.object({ n: z.number() }) } }, async ({ body }) => ({ data: body.n }));
};

let app: FastifyInstance;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

interface Connection {
  socket: Socket;
  /** Everything that the server has sent on it so far. */
  said: () => string;
  closed: Promise<unknown>;
}

/** Opens a connection and sends `head` on it; `from` is one of the loopback addresses. */
async function dial(port: number, head = "", from = "127.0.0.1"): Promise<Connection> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from }).on("error", () => {});
  sockets.push(socket);
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  if (head !== "") socket.write(head);
  return { socket, said: () => text, closed };
}

const unfinished = (path: string, forwarded?: string) =>
  [
    `POST ${path} HTTP/1.1`,
    "host: localhost",
    "content-type: application/json",
    "content-length: 7",
    ...(forwarded === undefined ? [] : [`x-forwarded-for: ${forwarded}`]),
    "",
    "{",
  ].join("\r\n");

/** Posts {"n":1} from a loopback address and returns the status. */
function post(port: number, path: string, headers: Record<string, string> = {}, from = "127.0.0.1"): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { port, path, host: "127.0.0.1", localAddress: from, method: "POST", agent: false };
    const call = request({ ...options, headers: { "content-type": "application/json", ...headers } }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    });
    call.on("error", reject).end('{"n":1}');
  });
}

async function listen(on: FastifyInstance): Promise<number> {
  return Number(new URL(await on.listen({ port: 0, host: "127.0.0.1" })).port);
}

describe("110 connections that never send their bodies", () => {
  it.each(["/api/v2/echo", "/rpc/5"])("leave %s to everyone else", async (path) => {
    ({ app } = await testApp({ features: [echo] }));
    const port = await listen(app);
    const lines = await Promise.all(Array.from({ length: SILENT }, () => dial(port, unfinished(path), "127.0.0.9")));
    // Rejected connections are closed at once. When some are closed, all have been seen.
    await expect.poll(() => lines.filter(({ socket }) => socket.closed).length).toBe(60);
    for (const { said } of lines.filter(({ socket }) => socket.closed)) {
      expect(said()).toMatch(/^HTTP\/1\.1 429 [\s\S]*"error_code":"too_many_requests"/);
    }
    expect(await post(port, path)).toBe(path.startsWith("/api") ? 200 : 400);
  });

  it("take no place of a route, even if they come from many addresses", async () => {
    ({ app } = await testApp({ features: [echo], config: { trustedProxies: 1 } }));
    const port = await listen(app);
    const lines = await Promise.all(
      Array.from({ length: SILENT }, (_, n) => dial(port, unfinished("/api/v2/echo", `10.0.0.${n}`))),
    );
    expect(await post(port, "/api/v2/echo", { "x-forwarded-for": "10.0.1.1" })).toBe(200);
    expect(lines.filter(({ socket }) => socket.closed)).toHaveLength(0);
  });

  it("are counted by the address that a trusted proxy reports, with an IPv6 /64 as one", async () => {
    ({ app } = await testApp({ features: [echo], config: { trustedProxies: 1 } }));
    const port = await listen(app);
    const lines = await Promise.all(
      Array.from({ length: SILENT }, (_, n) => dial(port, unfinished("/api/v2/echo", `2001:db8:1:2::${n + 1}`))),
    );
    await expect.poll(() => lines.filter(({ socket }) => socket.closed).length).toBe(60);
    expect(await post(port, "/api/v2/echo", { "x-forwarded-for": "2001:db8:1:2:ffff::1" })).toBe(429);
    expect(await post(port, "/api/v2/echo", { "x-forwarded-for": "2001:db8:1:3::1" })).toBe(200);
  });

  it("are counted together for all networks of one site (a /48)", async () => {
    ({ app } = await testApp({ features: [echo], config: { trustedProxies: 1 } }));
    const port = await listen(app);
    const lines = await Promise.all(
      Array.from({ length: 220 }, (_, n) => dial(port, unfinished("/api/v2/echo", `2001:db8:1:${n % 10}::1`))),
    );
    await expect.poll(() => lines.filter(({ socket }) => socket.closed).length, { timeout: 10_000 }).toBe(20);
    expect(await post(port, "/api/v2/echo", { "x-forwarded-for": "2001:db8:1:ffff::1" })).toBe(429);
    expect(await post(port, "/api/v2/echo", { "x-forwarded-for": "2001:db8:2:1::1" })).toBe(200);
  });
});

describe("connections", () => {
  it("are limited per address, and another address is served meanwhile", async () => {
    ({ app } = await testApp({ features: [echo] }));
    const port = await listen(app);
    const lines = await Promise.all(Array.from({ length: 300 }, () => dial(port, "", "127.0.0.9")));
    await expect.poll(() => lines.filter(({ socket }) => socket.closed).length).toBe(44);
    expect(await post(port, "/api/v2/echo", {}, "127.0.0.8")).toBe(200);
    await expect(post(port, "/api/v2/echo", {}, "127.0.0.9")).rejects.toThrow();
    lines.find(({ socket }) => !socket.closed)?.socket.destroy();
    await expect.poll(() => post(port, "/api/v2/echo", {}, "127.0.0.9").catch(() => 0)).toBe(200);
  });

  it("are not limited for a trusted proxy", async () => {
    ({ app } = await testApp({ features: [echo], config: { trustedProxies: 1 } }));
    const port = await listen(app);
    await Promise.all(Array.from({ length: 300 }, () => dial(port)));
    expect(await post(port, "/api/v2/echo")).toBe(200);
  });
});

describe("an incomplete request body", () => {
  const few = { connections: { perNetwork: 10 }, unfinished: { perNetwork: 10 } };

  /** A server with two routes, whose limits are `limits`. */
  async function start(limits: Partial<ConnectionLimits>) {
    app = Fastify({ clientErrorHandler: answerClientError });
    registerErrors(app);
    registerConnectionLimits(app, 0, { ...few, bodyMs: 30_000, ...limits });
    app.post("/short", async () => "done");
    app.post("/long", { config: { bodyTimeout: 600_000 } }, async () => "done");
    return listen(app);
  }

  it("is awaited as long as the route allows, and then rejected with an explanation", async () => {
    const port = await start({ bodyMs: 100 });
    const long = await dial(port, unfinished("/long"));
    const short = await dial(port, unfinished("/short"));
    await short.closed;
    expect(short.said()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"error_code":"validation_error".*did not arrive in time/);
    long.socket.write('"n":1}');
    await expect.poll(() => long.said()).toContain("done");
  });

  it("does not limit the time of the answer once it is complete", async () => {
    app = Fastify({ clientErrorHandler: answerClientError });
    registerConnectionLimits(app, 0, { ...few, bodyMs: 20 });
    app.post("/slow", async () => {
      await sleep(100);
      return "done";
    });
    const port = await listen(app);
    expect(await post(port, "/slow")).toBe(200);
  });

  it("is awaited for 30 s including its headers, checked every second, or 10 minutes for a document", async () => {
    ({ app } = await testApp());
    const { server } = app;
    expect([server.headersTimeout, server.requestTimeout]).toEqual([30_000, 630_000]);
    expect(server).toMatchObject({ connectionsCheckingInterval: 1_000 });
  });
});

it("the server rejects a request without a host name, unless it is a probe", async () => {
  ({ app } = await testApp());
  const port = await listen(app);
  const call = await dial(port, "GET /api/v2/network HTTP/1.0\r\n\r\n");
  const probe = await dial(port, "GET /health HTTP/1.0\r\n\r\n");
  await Promise.all([call.closed, probe.closed]);
  expect(call.said()).toMatch(/^HTTP\/1\.1 400 [\s\S]*host name/);
  expect(probe.said()).toMatch(/^HTTP\/1\.1 200 /);
});

it("the server rejects U+0000 in an address, raw or encoded", async () => {
  ({ app } = await testApp());
  const port = await listen(app);
  for (const query of ["x=\0", "x=%00", "%00=x"]) {
    const line = await dial(
      port,
      `GET /api/v2/network?${query} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
    );
    await line.closed;
    expect(line.said()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"error_code":"validation_error"/);
  }
});

it("the server answers input that is not HTTP in the shape of the API", async () => {
  ({ app } = await testApp());
  const line = await dial(await listen(app), "HELLO\r\n\r\n");
  await line.closed;
  expect(line.said()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"error_code":"validation_error"[\s\S]*"request_id"/);
});
