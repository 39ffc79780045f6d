import type { Transaction } from "@aqua/sdk/api/portfolio";
import type { FastifyInstance } from "fastify";
import Fastify from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ActiveSession } from "../../src/account/sessions.ts";
import { ApiError } from "../../src/errors.ts";
import { createEventHub, type EventHub, type PublishedEvent } from "../../src/events/hub.ts";
import { registerDrain } from "../../src/http/drain.ts";
import { registerErrors } from "../../src/http/errors.ts";
import { type EventLimits, registerEvents } from "../../src/http/events.ts";
import { testApp } from "../support/app.ts";

const mine = "0xAbCdEf0000000000000000000000000000000001";
const theirs = "0x0000000000000000000000000000000000000002";

function transactionOf(address: string): Transaction {
  return {
    hash: `0x${"1".repeat(64)}`,
    chain_id: 31337,
    block: 1,
    log_index: 0,
    time: 1,
    address,
    kind: "deposit",
    short_id: "river",
    symbol: "tUSD",
    amount: "1.000000",
    shares: null,
    price: null,
    fee: null,
    deposit_id: null,
    status: "confirmed",
    description: "Deposit",
  };
}
const block = (n: number) => ({ chain_id: 31337, block: n, time: n });

describe("EventHub", () => {
  let hub: EventHub;
  let got: PublishedEvent[];
  const listen = (options: Parameters<EventHub["subscribe"]>[0] = {}) =>
    hub.subscribe(options, (event) => got.push(event));
  const blocks = () => got.map((event) => (event.name === "block" ? event.data.block : event.name));
  beforeEach(() => {
    hub = createEventHub(3);
    got = [];
  });

  it("sends a transaction only to its wallet, in any letter case, and blocks to everyone", () => {
    listen({ address: mine.toLowerCase() });
    hub.publish("transaction", transactionOf(mine));
    hub.publish("transaction", transactionOf(theirs));
    hub.publish("block", block(1));
    expect(got.map(({ name }) => name)).toEqual(["transaction", "block"]);
  });

  it("sends identity events to the account's own sessions only, not to callers who name its wallet", () => {
    const others: string[] = [];
    hub.subscribe({ address: mine }, ({ name }) => others.push(name));
    hub.subscribe({ address: mine, accountId: "other" }, ({ name }) => others.push(name));
    listen({ accountId: "own" });
    hub.publishIdentity("own");
    expect(got.map(({ name }) => name)).toEqual(["identity"]);
    expect(others).toEqual([]);
    listen({ address: mine, lastEventId: hub.lastEventId().replace(/\d+$/, "0") });
    expect(got).toHaveLength(1);
  });

  it("sends no transaction to a subscriber without an address", () => {
    listen();
    hub.publish("transaction", transactionOf(mine));
    expect(got).toEqual([]);
  });

  it("sends a returning subscriber the missed events once and in order", () => {
    listen();
    for (const n of [1, 2, 3]) hub.publish("block", block(n));
    const seen = got[0]?.id as string;
    got = [];
    listen({ lastEventId: seen })();
    expect(blocks()).toEqual([2, 3]);
    got = [];
    listen({ lastEventId: hub.lastEventId() })();
    expect(got).toEqual([]);
  });

  it("sends a reset when it no longer has the later events", () => {
    const before = hub.lastEventId();
    for (const n of [1, 2, 3, 4]) hub.publish("block", block(n));
    for (const lastEventId of [before, "other-1", "", "x".repeat(99), `${before.split("-")[0]}-999`]) {
      got = [];
      listen({ lastEventId })();
      expect(blocks()).toEqual(["reset"]);
    }
  });

  it("sends readings to connected clients, and does not replay them", () => {
    listen();
    hub.publish("block", block(1));
    const before = hub.lastEventId();
    for (let turn = 0; turn < 5; turn += 1) hub.publishFleeting("readings", { short_id: "tide", readings: [] });
    hub.publish("block", block(2));
    expect(got.map(({ name }) => name)).toEqual(["block", ...Array(5).fill("readings"), "block"]);
    // A client that disconnects during these events has received everything up to the previous event.
    expect(got[3]?.id).toBe(before);
    got = [];
    listen({ lastEventId: before })();
    expect(blocks()).toEqual([2]);
  });

  it("sends nothing after the end of a subscription", () => {
    listen()();
    hub.publish("block", block(1));
    expect(got).toEqual([]);
  });
});

describe("GET events", () => {
  let app: FastifyInstance;
  let hub: EventHub;
  let url: string;
  const streams: AbortController[] = [];
  const sessions = new Map<string, ActiveSession>();
  function refuse(authorization: string | undefined): null {
    if (authorization === undefined) return null;
    throw new ApiError("token_error", "Log in again");
  }

  const quiet = { stalledMs: 60_000, backlog: 1_000, heartbeatMs: 10_000 };
  const connections = () => new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));
  const limits = (perNetwork: number, total: number) => ({ streams: { perNetwork, total }, stalledMs: 60_000 });

  async function start(limits?: EventLimits) {
    hub = createEventHub(10);
    app = Fastify({ trustProxy: true });
    app.setValidatorCompiler(validatorCompiler);
    app.setSerializerCompiler(serializerCompiler);
    registerErrors(app);
    registerDrain(app, 1_000);
    registerEvents({
      app,
      hub,
      findSession: async (authorization) => sessions.get(authorization ?? "") ?? refuse(authorization),
      limits,
    });
    url = `${await app.listen({ port: 0, host: "127.0.0.1" })}/events`;
  }
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.abort();
    await app.close();
  });

  async function open(address?: string, lastEventId?: string, more: Record<string, string> = {}) {
    const abort = new AbortController();
    streams.push(abort);
    const response = await fetch(address ? `${url}?address=${address}` : url, {
      signal: abort.signal,
      headers: { ...more, ...(lastEventId ? { "last-event-id": lastEventId } : {}) },
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    return {
      response,
      abort,
      /** Reads until `part` arrives or the stream ends. Returns the text since the previous part, including `part`. */
      async until(part: string) {
        while (!text.includes(part)) {
          const next = await reader?.read();
          if (!next || next.done) return `${text}[end]`;
          text += next.value;
        }
        const end = text.indexOf(part) + part.length;
        const read = text.slice(0, end);
        text = text.slice(end);
        return read;
      },
    };
  }

  it("streams events with id, name and data", async () => {
    await start();
    const stream = await open(mine);
    await stream.until("\n\n");
    hub.publish("block", block(5));
    hub.publish("transaction", transactionOf(mine));
    const text = await stream.until('"Deposit"');
    expect(stream.response.headers.get("content-type")).toContain("text/event-stream");
    expect(stream.response.headers.get("cache-control")).toBe("no-store");
    expect(text).toMatch(/id: \w+-1\nevent: block\ndata: {"chain_id":31337,"block":5,"time":5}\n\n/);
    expect(text).toMatch(/id: \w+-2\nevent: transaction\n/);
  });

  it("sends a first id at once, so that a stream that breaks before its first event can catch up", async () => {
    await start();
    const first = await open();
    const id = /id: (\S+)/.exec(await first.until("\n\n"))?.[1];
    first.abort.abort();
    hub.publish("block", block(6));
    const second = await open(undefined, id);
    expect(await second.until('"block":6')).toContain('"block":6');
  });

  it("answers reset to an id of another run", async () => {
    await start();
    expect(await (await open(undefined, "old-7")).until("data: {}")).toContain("event: reset\ndata: {}");
  });

  it("sends a comment at intervals, so that the connection stays open", async () => {
    await start({ ...limits(5, 5), backlog: 1_000, heartbeatMs: 10 });
    expect(await (await open()).until(": here\n\n")).not.toContain("[end]");
  });

  it("limits the streams of one address and releases a place when one ends", async () => {
    await start({ ...limits(2, 5), backlog: 1_000, heartbeatMs: 10_000 });
    const first = await open();
    await open();
    const refused = await open();
    expect(refused.response.status).toBe(429);
    expect(refused.response.headers.get("retry-after")).toBe("5");
    first.abort.abort();
    await expect.poll(async () => (await open()).response.status).toBe(200);
  });

  it("counts a whole /64 of IPv6 as one address", async () => {
    await start({ ...limits(2, 5), backlog: 1_000, heartbeatMs: 10_000 });
    const from = async (ip: string) => (await open(undefined, undefined, { "x-forwarded-for": ip })).response.status;
    expect(await from("2001:db8:1:2::1")).toBe(200);
    expect(await from("2001:db8:1:2:ffff::2")).toBe(200);
    expect(await from("2001:db8:1:2::3")).toBe(429);
    expect(await from("2001:db8:1:3::1")).toBe(200);
  });

  it("counts the networks of one site (a /48) together, so that they leave places to others", async () => {
    await start({ streams: { perNetwork: 2, perSite: 3, total: 5 }, ...quiet });
    const from = async (ip: string) => (await open(undefined, undefined, { "x-forwarded-for": ip })).response.status;
    for (const network of [1, 2, 3]) expect(await from(`2001:db8:1:${network}::1`)).toBe(200);
    expect(await from("2001:db8:1:4::1")).toBe(429);
    expect(await from("2001:db8:2:1::1")).toBe(200);
  });

  it("closes only a stream that accepts no byte, even if it is written to often", async () => {
    await start({ streams: { perNetwork: 5 }, stalledMs: 1_000, backlog: 1_000_000_000, heartbeatMs: 20 });
    const slow = await fetch(url);
    const quick = await open();
    await quick.until("\n\n");
    // More bytes than the sockets of both sides can hold for a client that never reads.
    const text = "x".repeat(60_000);
    for (let n = 0; n < 400; n += 1) {
      hub.publish("product", { short_id: `${n}-${text}` });
      await quick.until(`"${n}-`);
    }
    await expect.poll(connections).toBe(1);
    await expect(slow.text()).rejects.toThrow();
    hub.publish("block", block(7));
    expect(await quick.until('"block":7')).not.toContain("[end]");
  });

  it("answers HEAD at once with the headers of a stream, and opens none", async () => {
    await start({ ...limits(1, 1), backlog: 1_000, heartbeatMs: 10_000 });
    for (let turn = 0; turn < 3; turn += 1) {
      const response = await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(10_000) });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toContain("text/event-stream");
    }
    expect((await open()).response.status).toBe(200);
  });

  it("sends an account's events to its session only, and ends the stream of a session that has ended", async () => {
    await start();
    sessions.set("Bearer own", { accountId: "own", tokenHash: "", confirmedTime: 0, confirmedBy: null });
    const own = await open(mine, undefined, { authorization: "Bearer own" });
    const stranger = await open(mine);
    for (const stream of [own, stranger]) await stream.until("\n\n");
    hub.publishIdentity("own");
    hub.publish("block", block(8));
    expect(await own.until("event: identity")).toContain("event: identity");
    expect(await stranger.until('"block":8')).not.toContain("identity");
    sessions.clear();
    hub.publishIdentity("own");
    expect(await own.until("event: identity")).toContain("[end]");
    expect((await open(mine, undefined, { authorization: "Bearer own" })).response.status).toBe(401);
  });

  it("sends events in the order of their ids, so that a stream that breaks between two misses none", async () => {
    await start();
    sessions.set("Bearer own", { accountId: "own", tokenHash: "", confirmedTime: 0, confirmedBy: null });
    const own = await open(mine, undefined, { authorization: "Bearer own" });
    await own.until("\n\n");
    hub.publishIdentity("own");
    hub.publish("block", block(8));
    expect(await own.until('"block":8')).toContain("event: identity");
  });

  it("closes only the stream of a client that does not read", async () => {
    await start({ ...limits(5, 5), backlog: 64 * 1024, heartbeatMs: 10_000 });
    const slow = await fetch(url);
    const quick = await open();
    await quick.until("\n\n");
    // More bytes than the sockets of both sides can hold for a client that never reads.
    const text = "x".repeat(60_000);
    for (let n = 0; n < 400; n += 1) {
      hub.publish("product", { short_id: `${n}-${text}` });
      await quick.until(`"${n}-`);
    }
    await expect(slow.text()).rejects.toThrow();
    hub.publish("block", block(7));
    expect(await quick.until('"block":7')).not.toContain("[end]");
  });

  it("ends streams when the server closes, so that a shutdown does not wait for clients", async () => {
    await start();
    const stream = await open();
    await stream.until("\n\n");
    await app.close();
    expect(await stream.until("never")).toContain("[end]");
  });

  it("rejects an invalid address, and has the security headers of every answer", async () => {
    await start();
    const whole = await testApp();
    const refused = await whole.app.inject("/api/v2/events?address=me");
    expect([refused.statusCode, refused.json().error_code]).toEqual([400, "validation_error"]);
    const base = await whole.app.listen({ port: 0, host: "127.0.0.1" });
    const response = await fetch(`${base}/api/v2/events`, { headers: { "accept-encoding": "gzip" } });
    expect(response.headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(response.headers.get("content-encoding")).toBeNull();
    await whole.app.close();
  });
});
