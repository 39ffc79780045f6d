import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Chain, startChain } from "../src/chain.ts";
import { type ChainProxy, hiddenAddress, startChainProxy } from "../src/chainProxy.ts";
import { freePort } from "./support/port.ts";

const APP = "http://localhost:8080";
let chain: Chain;
let proxy: ChainProxy;
let port: number;

beforeAll(async () => {
  const target = await hiddenAddress();
  chain = await startChain({ ...target, allowOrigin: APP, blockTime: "manual" });
  port = await freePort();
  proxy = await startChainProxy({ port, target, appOrigin: APP });
});
afterAll(async () => {
  await proxy?.stop();
  await chain?.stop();
});

const withPort = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace("PORT", String(port))]));

/** Status and body of a call, as a program or a page sends it. */
async function call(headers: Record<string, string>): Promise<{ status: number; cors: unknown; body: string }> {
  const sent = { "content-type": "application/json", ...withPort(headers) };
  const post = request({ host: "127.0.0.1", port, method: "POST", agent: false, headers: sent });
  post.end('{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}');
  const [response] = await once(post, "response");
  let body = "";
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode, cors: response.headers["access-control-allow-origin"], body };
}

/** Status of the answer to the first request of a WebSocket. */
async function openSocket(headers: Record<string, string>): Promise<number> {
  const upgrade = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  const get = request({ host: "127.0.0.1", port, agent: false, headers: { ...upgrade, ...withPort(headers) } }).end();
  return new Promise((resolve, reject) => {
    get.once("error", reject);
    get.once("response", (response) => resolve(response.resume().statusCode ?? 0));
    get.once("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
  });
}

describe("ChainProxy", () => {
  it.each([
    ["a program", {}],
    ["a program that names localhost", { host: "localhost:PORT" }],
    ["the app", { origin: APP }],
    ["a wallet in Chrome", { origin: "chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn" }],
    ["a wallet in Firefox", { origin: "moz-extension://2b3b2b1c-6f0e-4c53-8f4b-7b8c0c1d2e3f" }],
  ])("lets %s reach the chain, over HTTP and WebSocket", async (_name, headers) => {
    expect(await call(headers)).toMatchObject({ status: 200, body: '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}' });
    expect(await openSocket(headers)).toBe(101);
  });

  it.each([
    ["a page of another site", { origin: "http://evil.example" }],
    ["a page of another program of this machine", { origin: "http://localhost:3000" }],
    ["a page in a sandbox, or a file", { origin: "null" }],
    ["a page whose name points to this machine", { host: "evil.example:PORT", origin: "http://evil.example:PORT" }],
    ["a request under another name", { host: "evil.example:PORT" }],
    ["a name that begins like a local one", { host: "localhost.evil.example:PORT" }],
  ])("refuses %s, over HTTP and WebSocket", async (_name, headers) => {
    const { status, body } = await call(headers);
    expect([status, body.includes("0x7a69")]).toEqual([403, false]);
    expect(await openSocket(headers)).toBe(403);
  });

  it("lets the app's pages alone read answers", async () => {
    expect((await call({ origin: APP })).cors).toBe(APP);
    expect((await call({ origin: "chrome-extension://another" })).cors).toBe(APP);
  });

  it("forwards a WebSocket's messages in both directions, and ends it when the proxy stops", async () => {
    const own = await startChainProxy({ port: await freePort(), target: targetOf(chain), appOrigin: APP });
    const socket = new WebSocket(own.url.replace("http", "ws"));
    await once(socket, "open");
    socket.send('{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}');
    const [{ data }] = (await once(socket, "message")) as [{ data: string }];
    expect(JSON.parse(data)).toEqual({ jsonrpc: "2.0", id: 7, result: "0x7a69" });
    const closed = once(socket, "close");
    await own.stop();
    await closed;
  });

  it("answers 502 while the chain is unavailable", async () => {
    const away = await hiddenAddress();
    const own = await startChainProxy({ port: await freePort(), target: away, appOrigin: APP });
    expect((await fetch(own.url, { method: "POST", body: "{}" })).status).toBe(502);
    await own.stop();
  });
});

function targetOf({ url }: Chain) {
  const { hostname, port: at } = new URL(url);
  return { host: hostname, port: Number(at) };
}
