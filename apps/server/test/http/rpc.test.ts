import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServedChain } from "../../src/http/chains.ts";
import { refusalOf } from "../../src/rpc/policy.ts";
import { liveStatus, testApp } from "../support/app.ts";

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

/** A node that answers each call with its own method and parameters, or as `behave` says. */
let node: Server;
let nodeUrl: string;
let received: Call[][] = [];
let behave: ((calls: Call[]) => { status?: number; body: string } | null) | null = null;
let app: FastifyInstance;
let logged: string[];

beforeAll(async () => {
  node = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
    const calls = Array.isArray(body) ? body : [body];
    received.push(calls);
    const own = behave?.(calls);
    if (own === null) return request.socket.destroy();
    const answers = calls
      .map(({ id, method, params }) => ({ jsonrpc: "2.0", id, result: { method, params } }))
      .toReversed();
    response.statusCode = own?.status ?? 200;
    response.end(own?.body ?? JSON.stringify(Array.isArray(body) ? answers : answers[0]));
  });
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
  nodeUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}/v3/access-key-1234?token=hush-hush`;
});
afterAll(() => node.close());
beforeEach(async () => {
  received = [];
  behave = null;
  ({ app, logged } = await testApp({ chains: [chain([nodeUrl])] }));
});
afterEach(() => app.close());

function chain(rpcUrls: string[]): ServedChain {
  return { chainId: 31337, rpcUrls, deployment: null, status: () => liveStatus };
}
const post = (payload: object, to = app) => to.inject({ method: "POST", url: "/rpc/31337", payload });
const call = (method: string, params: unknown[] = [], id: unknown = 7) => ({ jsonrpc: "2.0", id, method, params });

describe("the node proxy", () => {
  it("passes an allowed call on and answers under the caller's id", async () => {
    const response = await post(call("eth_getBalance", ["0x00", "latest"], "mine"));
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      jsonrpc: "2.0",
      id: "mine",
      result: { method: "eth_getBalance", params: ["0x00", "latest"] },
    });
  });

  it.each([
    "anvil_setBalance",
    "evm_mine",
    "debug_traceTransaction",
    "eth_sendTransaction",
    "eth_sign",
    "eth_accounts",
    "personal_unlockAccount",
    "eth_newFilter",
    "admin_peers",
    "ETH_CALL",
    "hardhat_reset",
    "wallet_addEthereumChain",
  ])("never passes %s on", async (method) => {
    const response = await post(call(method));
    expect(response.json()).toMatchObject({ id: 7, error: { code: -32601 } });
    expect(received).toEqual([]);
  });

  it("answers a batch in order, each call on its own merits, even when ids repeat", async () => {
    const response = await post([call("eth_chainId", [], 1), call("evm_mine", [], 1), call("eth_blockNumber", [], 1)]);
    expect(response.json()).toEqual([
      { jsonrpc: "2.0", id: 1, result: { method: "eth_chainId", params: [] } },
      { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "The method evm_mine is not available here" } },
      { jsonrpc: "2.0", id: 1, result: { method: "eth_blockNumber", params: [] } },
    ]);
    expect(received[0]?.map(({ method }) => method)).toEqual(["eth_chainId", "eth_blockNumber"]);
  });

  it.each([
    ["an empty batch", []],
    ["more than 50 calls", Array.from({ length: 51 }, () => call("eth_chainId"))],
    ["no method", { jsonrpc: "2.0", id: 1 }],
    ["another version", { ...call("eth_chainId"), jsonrpc: "1.0" }],
  ])("refuses %s", async (_name, payload) => {
    const response = await post(payload);
    expect([response.statusCode, response.json().error_code]).toEqual([400, "validation_error"]);
    expect(received).toEqual([]);
  });

  it("refuses a body beyond its own bound", async () => {
    const response = await post(call("eth_sendRawTransaction", [`0x${"00".repeat(300_000)}`]));
    expect([response.statusCode, response.json().error_code]).toEqual([413, "payload_too_large"]);
  });

  it("knows only the chains of this instance", async () => {
    const response = await app.inject({ method: "POST", url: "/rpc/5", payload: call("eth_chainId") });
    expect([response.statusCode, response.json().error_code]).toEqual([404, "not_found"]);
  });

  it("passes a revert on with its data", async () => {
    const error = { code: 3, message: "execution reverted", data: "0x1234" };
    behave = ([one]) => ({ body: JSON.stringify({ jsonrpc: "2.0", id: one?.id, error }) });
    expect((await post(call("eth_call", [{}]))).json().error).toEqual(error);
  });

  it.each(["access-key-1234", "HUSH-HUSH", "http://127.0.0.1:PORT/x"])(
    "keeps the node's address to itself when the node says %s",
    async (leak) => {
      const text = leak.replace("PORT", String((node.address() as AddressInfo).port));
      behave = ([one]) => ({
        body: JSON.stringify({ jsonrpc: "2.0", id: one?.id, error: { code: -32000, message: `denied: ${text}` } }),
      });
      expect((await post(call("eth_chainId"))).json().error).toEqual({
        code: -32000,
        message: "The node refused the call",
      });
    },
  );

  it.each([
    ["hangs up", () => null],
    ["answers a page", () => ({ status: 502, body: "<html>" })],
    ["answers another call", () => ({ body: '{"jsonrpc":"2.0","id":99,"result":"0x1"}' })],
    ["is busy", () => ({ status: 429, body: "{}" })],
  ])("says chain_unavailable when the node %s, without naming it", async (_name, how) => {
    behave = how;
    const response = await post(call("eth_chainId"));
    expect(response.statusCode).toBe(503);
    expect(response.headers["retry-after"]).toBe("1");
    expect(response.json()).toMatchObject({ id: 7, error: { data: { error_code: "chain_unavailable" } } });
    for (const text of [response.body, ...logged]) expect(text).not.toMatch(/access-key|hush|127\.0\.0\.1:\d/);
  });

  it("asks the next node when one does not answer, but never sends a transaction twice", async () => {
    const two = await testApp({ chains: [chain(["http://127.0.0.1:18149", nodeUrl])] });
    expect((await post(call("eth_chainId"), two.app)).statusCode).toBe(200);
    await two.app.close();
    behave = () => null;
    const twice = await testApp({ chains: [chain([nodeUrl, nodeUrl.replace("/v3", "/v4")])] });
    received = [];
    expect((await post(call("eth_sendRawTransaction", ["0x00"]), twice.app)).statusCode).toBe(503);
    expect(received).toHaveLength(1);
    await twice.app.close();
  });

  it("counts every call of a batch against the limit", async () => {
    const small = await testApp({ chains: [chain([nodeUrl])], config: { rateLimits: { api: 10, rpc: 5 } } });
    expect(
      (
        await post(
          Array.from({ length: 4 }, () => call("eth_chainId")),
          small.app,
        )
      ).statusCode,
    ).toBe(200);
    const refused = await post([call("eth_chainId"), call("eth_chainId")], small.app);
    expect([refused.statusCode, refused.json().error_code]).toEqual([429, "too_many_requests"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    await small.app.close();
  });
});

describe("eth_getLogs", () => {
  const refused = (filter: unknown, head: number | null = 20_000) =>
    refusalOf({ jsonrpc: "2.0", id: 1, method: "eth_getLogs", params: [filter] }, head) !== null;

  it.each([
    { blockHash: "0xab" },
    { fromBlock: "0x0", toBlock: "0x270f" },
    { fromBlock: "0x4000" },
    { fromBlock: "latest", toBlock: "latest" },
    {},
  ])("takes %o", (filter) => expect(refused(filter)).toBe(false));

  it.each([
    { fromBlock: "0x0", toBlock: "0x2710" },
    { fromBlock: "0x0" },
    { fromBlock: "earliest", toBlock: "latest" },
    { fromBlock: "finalized", toBlock: "0x1" },
    { fromBlock: 1, toBlock: 2 },
    null,
  ])("refuses %o", (filter) => expect(refused(filter)).toBe(true));

  it("refuses a range to the latest block while that is unknown", () => {
    expect(refused({ fromBlock: "0x1" }, null)).toBe(true);
    expect(refused({}, null)).toBe(false);
  });
});
