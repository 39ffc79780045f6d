import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { answerClientError } from "../../src/http/connections.ts";
import { registerErrors } from "../../src/http/errors.ts";
import { registerOverload } from "../../src/http/limits.ts";
import { type ReceiverLimits, registerReceiverLimits } from "../../src/http/receivers.ts";
import { registerCompression } from "../../src/http/static.ts";

const MIB = 1024 * 1024;
/** More bytes than the sockets of both sides accept for a client that never reads. */
const LARGE = "x".repeat(16 * MIB);
/** Random data that is longer than a compressor's window, so that it cannot be compressed. */
const PAGE = randomBytes(75_000).toString("base64");
const patient: ReceiverLimits = {
  stalledMs: 600_000,
  unsent: { perNetwork: 1_000 * MIB, perSite: 1_000 * MIB, total: 1_000 * MIB },
};

let app: FastifyInstance;
let port: number;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

async function start(limits: Partial<ReceiverLimits>, inFlight = 1_000) {
  app = Fastify({ trustProxy: true, clientErrorHandler: answerClientError });
  registerErrors(app);
  registerReceiverLimits(app, { ...patient, ...limits });
  await registerCompression(app);
  registerOverload(app, inFlight);
  app.get("/small", async () => ({ data: 1 }));
  app.get("/large", async () => LARGE);
  app.get("/stream", async (_request, reply) => {
    async function* endless() {
      for (;;) yield PAGE;
    }
    return reply.type("text/csv").send(Readable.from(endless(), { objectMode: false }));
  });
  port = Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
}

/** Sends a request and never reads the answer. */
async function askUnread(path: string, { from = "192.0.2.1", encoding = "" } = {}): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1" }).on("error", () => {});
  sockets.push(socket.pause());
  await once(socket, "connect");
  const head = [`GET ${path} HTTP/1.1`, "host: localhost", `x-forwarded-for: ${from}`, `accept-encoding: ${encoding}`];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  return socket;
}

const get = (path: string, from: string) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-forwarded-for": from, "accept-encoding": "identity" } });
const openConnections = () =>
  new Promise<number>((resolve, reject) =>
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

describe("a connection that accepts no byte", () => {
  it.each([
    ["a whole answer", "/large", ""],
    ["a stream", "/stream", ""],
    ["a compressed stream", "/stream", "gzip"],
  ])("is closed while it waits for %s", async (_name, path, encoding) => {
    await start({ stalledMs: 200 });
    await askUnread(path, { encoding });
    await expect.poll(() => openConnections()).toBe(1);
    await expect.poll(() => openConnections()).toBe(0);
  });
});

describe("answers that are not read", () => {
  it("are rejected beyond the byte limit of their network, and other networks are answered", async () => {
    await start({ unsent: { perNetwork: 40 * MIB, total: 1_000 * MIB } });
    await askUnread("/large");
    await askUnread("/large");
    await expect.poll(async () => (await get("/large", "192.0.2.1")).status).toBe(429);
    const refused = await get("/large", "192.0.2.1");
    expect([refused.headers.get("retry-after"), await refused.json()]).toEqual([
      "1",
      expect.objectContaining({ error_code: "too_many_requests" }),
    ]);
    expect((await get("/small", "192.0.2.1")).status).toBe(200);
    expect((await (await get("/large", "192.0.2.2")).text()).length).toBe(LARGE.length);
    sockets[0]?.destroy();
    await expect.poll(async () => (await get("/large", "192.0.2.1")).status).toBe(200);
  });

  it("count together for the networks of one site", async () => {
    await start({ unsent: { perNetwork: 40 * MIB, perSite: 40 * MIB, total: 1_000 * MIB } });
    await askUnread("/large", { from: "2001:db8:1:1::1" });
    await askUnread("/large", { from: "2001:db8:1:2::1" });
    // The only answer of a network is always sent, so the third network first requests one that it does not read.
    await askUnread("/stream", { from: "2001:db8:1:3::1" });
    await expect.poll(async () => (await get("/large", "2001:db8:1:3::1")).status).toBe(429);
    expect((await get("/large", "2001:db8:2:1::1")).status).toBe(200);
  });

  it("close the oldest connection of the network with the most bytes if all networks together exceed the limit", async () => {
    await start({ unsent: { perNetwork: 1_000 * MIB, total: 60 * MIB } });
    const oldest = await askUnread("/large", { from: "192.0.2.1" });
    await expect.poll(() => openConnections()).toBe(1);
    for (let n = 0; n < 2; n += 1) await askUnread("/large", { from: "192.0.2.1" });
    await expect.poll(() => openConnections()).toBe(3);
    expect((await (await get("/large", "192.0.2.2")).text()).length).toBe(LARGE.length);
    const closed = once(oldest, "close");
    oldest.resume();
    await closed;
    for (const socket of sockets.slice(1)) expect(socket.closed).toBe(false);
  });
});

describe("RouteOverload", () => {
  it("releases a place when its handler ends, not when the answer is read", async () => {
    await start({}, 2);
    for (let n = 0; n < 2; n += 1) await askUnread("/large", { from: "192.0.2.1" });
    await expect.poll(() => openConnections()).toBe(2);
    expect((await get("/large", "192.0.2.2")).status).toBe(200);
  });

  it("keeps a place until its handler ends, even if the caller has disconnected", async () => {
    app = Fastify();
    registerErrors(app);
    registerOverload(app, 1);
    let begun = 0;
    let end = () => {};
    app.get("/work", async () => {
      begun += 1;
      if (begun === 1) await new Promise<void>((resolve) => (end = resolve));
      return "done";
    });
    port = Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
    const socket = await askUnread("/work");
    await expect.poll(() => begun).toBe(1);
    socket.destroy();
    await expect.poll(() => openConnections()).toBe(0);
    expect((await get("/work", "192.0.2.2")).status).toBe(503);
    end();
    await expect.poll(async () => (await get("/work", "192.0.2.2")).status).toBe(200);
  });
});
