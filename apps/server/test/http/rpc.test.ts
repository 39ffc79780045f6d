import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { ServedChain } from "../../src/http/chains.ts";
import { registerErrors } from "../../src/http/errors.ts";
import { registerRpc } from "../../src/http/rpc.ts";
import { refusalOf } from "../../src/rpc/policy.ts";
import { liveStatus, testApp } from "../support/app.ts";

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

/** A node that answers each call with the call's method and parameters, or with the result of `behave`. */
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
const fees = { maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x1" };
const estimated = {
  from: "0x00",
  to: "0x01",
  data: "0x",
  value: "0x0",
  nonce: "0x1",
  type: "0x2",
  chainId: "0x1",
  gas: "0x5208",
  ...fees,
};
const range = { fromBlock: "0x0", toBlock: "0x270f" };
const post = (payload: object, to = app) => to.inject({ method: "POST", url: "/rpc/31337", payload });
const call = (method: string, params: unknown[] = [], id: unknown = 7) => ({ jsonrpc: "2.0", id, method, params });

describe("the node proxy", () => {
  it("forwards an allowed call and answers under the caller's id", async () => {
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
  ])("never forwards %s", async (method) => {
    const response = await post(call(method));
    expect(response.json()).toMatchObject({ id: 7, error: { code: -32601 } });
    expect(received).toEqual([]);
  });

  it("answers each call of a batch separately and in order, even if ids repeat", async () => {
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
  ])("rejects %s", async (_name, payload) => {
    const response = await post(payload);
    expect([response.statusCode, response.json().error_code]).toEqual([400, "validation_error"]);
    expect(received).toEqual([]);
  });

  it("rejects a body above its own limit", async () => {
    const response = await post(call("eth_sendRawTransaction", [`0x${"00".repeat(300_000)}`]));
    expect([response.statusCode, response.json().error_code]).toEqual([413, "payload_too_large"]);
  });

  it("serves only the chains of this instance", async () => {
    const response = await app.inject({ method: "POST", url: "/rpc/5", payload: call("eth_chainId") });
    expect([response.statusCode, response.json().error_code]).toEqual([404, "not_found"]);
  });

  it("forwards a revert with its data", async () => {
    const error = { code: 3, message: "execution reverted", data: "0x1234" };
    behave = ([one]) => ({ body: JSON.stringify({ jsonrpc: "2.0", id: one?.id, error }) });
    expect((await post(call("eth_call", [{}]))).json().error).toEqual(error);
  });

  it.each(["access-key-1234", "HUSH-HUSH", "http://127.0.0.1:PORT/x"])(
    "does not reveal the node's address if the node answers %s",
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
  ])("answers chain_unavailable without naming the node if the node %s", async (_name, how) => {
    behave = how;
    const response = await post(call("eth_chainId"));
    expect(response.statusCode).toBe(503);
    expect(response.headers["retry-after"]).toBe("1");
    expect(response.json()).toMatchObject({ id: 7, error: { data: { error_code: "chain_unavailable" } } });
    for (const text of [response.body, ...logged]) expect(text).not.toMatch(/access-key|hush|127\.0\.0\.1:\d/);
  });

  it("rejects JSON that is nested too deeply, and forwards the next call as before", async () => {
    const headers = { "content-type": "application/json" };
    const payload = `{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":[${"[".repeat(100_000)}${"]".repeat(100_000)}]}`;
    const two = await testApp({ chains: [chain([nodeUrl, "http://127.0.0.1:18149"])] });
    const refused = await two.app.inject({ method: "POST", url: "/rpc/31337", payload, headers });
    expect([refused.statusCode, refused.json().error_code]).toEqual([400, "validation_error"]);
    expect(received).toEqual([]);
    await post(call("eth_chainId"), two.app);
    expect(received).toHaveLength(1);
    await two.app.close();
  });

  it("asks the next node if one does not answer, but never sends a transaction twice", async () => {
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

describe("the node proxy, for an expensive call,", () => {
  const big = `0x${(2n ** 60n).toString(16)}`;

  it.each(["eth_call", "eth_estimateGas"])("forwards %s with 2^60 gas as a call with 50 million", async (method) => {
    const response = await post(call(method, [{ to: "0x00", gas: big }, "latest"]));
    expect(response.json().result.params).toEqual([{ to: "0x00", gas: "0x2faf080" }, "latest"]);
    const modest = await post(call(method, [{ to: "0x00", gas: "0x5208" }]));
    expect(modest.json().result.params).toEqual([{ to: "0x00", gas: "0x5208" }]);
  });

  it.each([
    ["a fee history", "eth_feeHistory", ["0x400", "latest", [10, 50]]],
    ["a fee history without percentiles", "eth_feeHistory", [4, "latest"]],
    ["an estimate of all a wallet may say", "eth_estimateGas", [estimated, "latest"]],
    ["a call at a block's hash", "eth_call", [{ to: "0x00", data: "0x", gas: "0x5208" }, { blockHash: "0x00" }]],
    ["logs by several topics", "eth_getLogs", [{ ...range, address: ["0x00"], topics: ["0x01", null, ["0x02"]] }]],
  ])("forwards %s", async (_name, method, params) => {
    expect((await post(call(method, params))).json().result).toEqual({ method, params });
  });

  it("limits a simulation without gas to ten million, or to its share of a batch's gas", async () => {
    const gasOf = (answer: { result: { params: [{ gas?: string }] } }) => Number(answer.result.params[0].gas);
    expect(gasOf((await post(call("eth_call", [{}]))).json())).toBe(10_000_000);
    const named = call("eth_call", [{ gas: "0x2faf080" }]);
    const many = [named, ...Array.from({ length: 25 }, () => call("eth_call", [{}]))];
    const burnt = (await post(many)).json().map(gasOf);
    expect([burnt[0], burnt[1]]).toEqual([50_000_000, 2_000_000]);
    expect(burnt.reduce((sum: number, gas: number) => sum + gas, 0)).toBeLessThanOrEqual(100_000_000);
  });

  it.each([
    ["gas that is no hex number", "eth_call", [{ gas: 2 ** 53 }]],
    ["gas under another name", "eth_call", [{ gasLimit: big }]],
    ["blobs, whose proofs the node would check", "eth_call", [{ blobs: ["0x00"] }]],
    ["state overrides", "eth_call", [{}, "latest", { "0x00": { code: "0x5b600056" } }]],
    ["block overrides", "eth_call", [{}, "latest", null, { gasLimit: big }]],
    ["state overrides of an estimate", "eth_estimateGas", [{}, "latest", {}]],
    ["no transaction", "eth_call", []],
    ["logs of all blocks", "eth_getLogs", [{ fromBlock: "0x0", toBlock: "0xffffff" }]],
    ["logs of a thousand addresses", "eth_getLogs", [{ address: Array<string>(1_000).fill("0x00") }]],
    ["fees of all blocks", "eth_feeHistory", [big, "latest", []]],
  ])("rejects %s", async (_name, method, params) => {
    expect((await post(call(method, params))).json()).toMatchObject({ id: 7, error: { code: -32602 } });
    expect(received).toEqual([]);
  });

  it.each([
    ["1 000 calls", Array.from({ length: 1_000 }, () => call("eth_chainId"))],
    ["50 searches of 10 000 blocks", Array.from({ length: 50 }, () => call("eth_getLogs", [range]))],
    ["50 estimates", Array.from({ length: 50 }, () => call("eth_estimateGas", [{}]))],
    ["more than 100 million gas", Array.from({ length: 3 }, () => call("eth_call", [{ gas: big }]))],
    ["two estimates, which a node runs more than once", [1, 2].map(() => call("eth_estimateGas", [{ gas: big }]))],
    [
      "100 million gas and a call that is left none",
      [...[1, 2].map(() => call("eth_call", [{ gas: big }])), call("eth_call", [{}])],
    ],
  ])("rejects a batch of %s", async (_name, batch) => {
    const response = await post(batch);
    expect([response.statusCode, response.json().error_code]).toEqual([400, "validation_error"]);
    expect(received).toEqual([]);
  });

  it("counts a call by its cost for the node", async () => {
    const small = await testApp({ chains: [chain([nodeUrl])], config: { rateLimits: { api: 10, rpc: 15 } } });
    expect((await post(call("eth_getLogs", [range]), small.app)).statusCode).toBe(200);
    expect((await post(call("eth_getLogs", [range]), small.app)).statusCode).toBe(429);
    await small.app.close();
  });
});

describe("a long answer of a node", () => {
  const KIB = 1024;
  const long = (bytes: number) => `0x${"ab".repeat(bytes / 2)}`;
  /** A node whose answer to every call of a request is `result`. */
  const answering = (result: unknown) => (calls: Call[]) => {
    const answers = calls.map(({ id }) => ({ jsonrpc: "2.0", id, result }));
    return { body: JSON.stringify(answers.length === 1 ? answers[0] : answers) };
  };
  const failing = (error: object) => (calls: Call[]) => ({
    body: JSON.stringify({ jsonrpc: "2.0", id: calls[0]?.id, error }),
  });
  const tooLarge = { code: -32602, message: expect.stringContaining("too large") };

  it("is forwarded unchanged, in any order of its members", async () => {
    const result = '{ "a" : [1.0, "}]\\"\\\\", {"b":null}],"id":9 }';
    behave = () => ({ body: ` { "result":${result} ,"id" : 0,"jsonrpc":"2.0","error":null}\n` });
    const response = await post(call("eth_getBlockByNumber", ["latest", true], "mine"));
    expect(response.body).toBe(`{"jsonrpc":"2.0","id":"mine","result":${result}}`);
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  it.each(["{", "[", '{"id":0', '{"id":0,"result":"a', '{"id":0,"result":[1}', '{"id":0,"result"}', "", "7"])(
    "is invalid if it is %s",
    async (body) => {
      behave = () => ({ body });
      expect((await post(call("eth_chainId"))).json().error.data).toEqual({ error_code: "chain_unavailable" });
    },
  );

  it.each([
    ["eth_call", [{}], 256 * KIB],
    ["eth_estimateGas", [{}], 256 * KIB],
    ["eth_getLogs", [range], 2048 * KIB],
    ["eth_getBlockByNumber", ["latest", true], 4095 * KIB],
  ])(
    "is forwarded from %s up to its limit, and rejected above it without counting as a failure of the node",
    async (method, params, most) => {
      behave = answering(long(most - 4));
      expect((await post(call(method, params))).json().result).toHaveLength(most - 2);
      behave = answering(long(most + 1024));
      const refused = await post(call(method, params));
      expect([refused.statusCode, refused.json().error]).toEqual([200, tooLarge]);
    },
  );

  it("is removed from an error, which keeps its code and names the removal", async () => {
    behave = failing({ code: 3, message: "execution reverted", data: long(1900 * KIB) });
    const { error } = (await post(call("eth_call", [{}]))).json();
    expect(error).toEqual({ code: 3, message: expect.stringMatching(/^execution reverted \(.*too large/) });
    behave = failing({ code: 3, message: long(1900 * KIB) });
    expect((await post(call("eth_call", [{}]))).json().error).toMatchObject({ code: 3 });
  });

  it("counts against the limit by its bytes", async () => {
    const small = await testApp({ chains: [chain([nodeUrl])], config: { rateLimits: { api: 10, rpc: 20 } } });
    behave = answering(long(512 * KIB));
    expect((await post(call("eth_getBlockByNumber", ["latest", true]), small.app)).statusCode).toBe(200);
    expect((await post(call("eth_chainId"), small.app)).statusCode).toBe(429);
    await small.app.close();
  });

  it("does not mark the node as failed, so the node gets the next call too", async () => {
    let other = 0;
    const second = createServer((_request, response) => {
      other += 1;
      response.end('{"id":0,"result":"0x2"}');
    });
    await new Promise<void>((resolve) => second.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void second.close());
    const two = await testApp({
      chains: [chain([nodeUrl, `http://127.0.0.1:${(second.address() as AddressInfo).port}`])],
    });
    behave = answering(long(8192 * KIB));
    expect((await post(call("eth_getBlockByNumber", ["latest", true]), two.app)).json().error).toEqual(tooLarge);
    behave = null;
    expect((await post(call("eth_chainId"), two.app)).json().result).toMatchObject({ method: "eth_chainId" });
    expect(other).toBe(0);
    await two.app.close();
  });
});

describe("large answers", () => {
  it("wait for each other, while small answers and their node's places wait for none of them", async () => {
    const own = Fastify();
    own.setValidatorCompiler(validatorCompiler);
    own.setSerializerCompiler(serializerCompiler);
    registerErrors(own);
    onTestFinished(() => own.close());
    // The first large call runs for the whole test, and no call may wait for it.
    const large = { running: { perNetwork: 1, total: 1 }, waiting: { perNetwork: 0 }, waitMs: 600_000, bytesPerMs: 1 };
    const queue = { running: { perNetwork: 1, total: 1 }, waiting: { perNetwork: 0 }, waitMs: 600_000 };
    await registerRpc(own, [chain([nodeUrl])], { perMinute: 10_000, queue, large });
    behave = ([one]) => ({
      body: JSON.stringify({ id: one?.id, result: one?.method === "eth_chainId" ? "0x1" : "a".repeat(1_000_000) }),
    });
    const block = call("eth_getBlockByNumber", ["latest", true]);
    expect((await post(block, own)).json().result).toHaveLength(1_000_000);
    const second = await post(block, own);
    expect([second.statusCode, second.json().error.data]).toEqual([503, { error_code: "too_many_requests" }]);
    expect((await post(call("eth_chainId"), own)).json().result).toBe("0x1");
  });
});

describe("500 calls at once", () => {
  /** A node that holds calls until the test releases them, and counts them. */
  async function holdingNode() {
    const held: (() => void)[] = [];
    let most = 0;
    let open = false;
    const server = createServer((request, response) => {
      const answer = () => response.end('{"jsonrpc":"2.0","id":0,"result":"0x1"}');
      request.resume().once("end", () => {
        if (open) return answer();
        held.push(answer);
        most = Math.max(most, held.length);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
    });
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      held: () => held.length,
      most: () => most,
      letGo() {
        open = true;
        for (const answer of held) answer();
      },
    };
  }
  const from = (ip: string, to: FastifyInstance) =>
    to.inject({
      method: "POST",
      url: "/rpc/31337",
      headers: { "x-forwarded-for": ip },
      payload: call("eth_call", [{}]),
    });

  it("of one address take four places of the node, and the next address does not wait behind them", async () => {
    const slow = await holdingNode();
    const busy = await testApp({ chains: [chain([slow.url])], config: { trustedProxies: 1 } });
    const attack = Array.from({ length: 500 }, () => from("10.0.0.1", busy.app));
    await expect.poll(slow.held).toBe(4);
    const honest = from("10.0.0.2", busy.app);
    await expect.poll(slow.held).toBe(5);
    slow.letGo();
    expect((await honest).statusCode).toBe(200);
    const statuses = (await Promise.all(attack)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(36);
    expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
    expect(slow.most()).toBe(5);
    await busy.app.close();
  });

  it("of many addresses leave the node room for the indexer", async () => {
    const slow = await holdingNode();
    const busy = await testApp({ chains: [chain([slow.url])], config: { trustedProxies: 1 } });
    const attack = Array.from({ length: 500 }, (_, n) => from(`10.0.${n % 250}.1`, busy.app));
    await expect.poll(slow.held).toBe(16);
    slow.letGo();
    const refused = (await Promise.all(attack)).find(({ statusCode }) => statusCode === 503);
    expect(slow.most()).toBe(16);
    expect(refused?.headers["retry-after"]).toBe("1");
    expect(refused?.json()).toMatchObject({ error_code: "too_many_requests" });
    await busy.app.close();
  });

  it("of the networks of one site (a /48) take eight places of the node", async () => {
    const slow = await holdingNode();
    const busy = await testApp({ chains: [chain([slow.url])], config: { trustedProxies: 1 } });
    const attack = Array.from({ length: 500 }, (_, n) => from(`2001:db8:1:${n % 50}::1`, busy.app));
    await expect.poll(slow.held, { timeout: 10_000 }).toBe(8);
    const honest = from("2001:db8:2:1::1", busy.app);
    await expect.poll(slow.held, { timeout: 10_000 }).toBe(9);
    slow.letGo();
    expect((await honest).statusCode).toBe(200);
    await Promise.all(attack);
    expect(slow.most()).toBe(9);
    await busy.app.close();
  });
});

describe("the node proxy, for eth_getLogs,", () => {
  const refused = (filter: unknown, head: number | null = 20_000) =>
    refusalOf({ jsonrpc: "2.0", id: 1, method: "eth_getLogs", params: [filter] }, head) !== null;

  it.each([
    { blockHash: "0xab" },
    { fromBlock: "0x0", toBlock: "0x270f" },
    { fromBlock: "0x4000" },
    { fromBlock: "latest", toBlock: "latest" },
    {},
  ])("forwards %o", (filter) => expect(refused(filter)).toBe(false));

  it.each([
    { fromBlock: "0x0", toBlock: "0x2710" },
    { fromBlock: "0x0" },
    { fromBlock: "earliest", toBlock: "latest" },
    { fromBlock: "finalized", toBlock: "0x1" },
    { fromBlock: 1, toBlock: 2 },
    null,
  ])("rejects %o", (filter) => expect(refused(filter)).toBe(true));

  it("rejects a range to the latest block while that block is unknown", () => {
    expect(refused({ fromBlock: "0x1" }, null)).toBe(true);
    expect(refused({}, null)).toBe(false);
  });
});
