import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Registry } from "prom-client";
import { encodeErrorResult, type Hex, parseAbi } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientOf } from "../../src/chains.ts";
import { createNodeFailures } from "../../src/rpc/failures.ts";

const contract = "0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f";
const abi = parseAbi([
  "error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)",
]);

/** A local server that counts its requests and answers with `body`. */
async function serve(body: (url: string) => { status: number; headers?: Record<string, string>; text: string }) {
  let asked = 0;
  const server: Server = createServer((request, response) => {
    asked += 1;
    const { status, headers, text } = body(request.url ?? "");
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked: () => asked, close: () => server.close() };
}

let elsewhere: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  elsewhere = await serve(() => ({
    status: 200,
    text: JSON.stringify({ data: "0x", jsonrpc: "2.0", id: 1, result: "0x1" }),
  }));
});
afterAll(() => elsewhere?.close());

it("the chain client requests no address that a contract names", async () => {
  const data = encodeErrorResult({
    abi,
    errorName: "OffchainLookup",
    args: [contract, [`${elsewhere.url}/{sender}/{data}`], "0x00", "0x00000000", "0x00"],
  });
  const error = { code: 3, message: "execution reverted", data };
  const node = await serve(() => ({ status: 200, text: JSON.stringify({ jsonrpc: "2.0", id: 1, error }) }));
  const client = clientOf([node.url]);
  await expect(client.call({ to: contract, data: "0x12345678" as Hex })).rejects.toThrow();
  expect(node.asked()).toBeGreaterThan(0);
  expect(elsewhere.asked()).toBe(0);
  node.close();
});

it("the chain client does not follow a node's redirect", async () => {
  const node = await serve(() => ({ status: 307, headers: { location: elsewhere.url }, text: "" }));
  await expect(clientOf([node.url]).getBlockNumber()).rejects.toThrow();
  expect(elsewhere.asked()).toBe(0);
  node.close();
});

it("the chain client reports the node that did not answer, and no call that the node refused", async () => {
  const broken = await serve(() => ({ status: 503, text: "busy" }));
  const refusing = await serve(() => ({
    status: 200,
    text: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: 3, message: "execution reverted" } }),
  }));
  const failed: string[] = [];
  const client = clientOf([broken.url, refusing.url], (url) => failed.push(url));
  await expect(client.call({ to: contract, data: "0x12345678" })).rejects.toThrow();
  expect(failed).toEqual([broken.url]);
  broken.close();
  refusing.close();
});

it("a metric counts them by host, without the key in the URL", async () => {
  const url = "https://node.example/v3/0123456789abcdef";
  const failures = createNodeFailures([{ chainId: 1, rpcUrls: [url] }]);
  failures.note(1, url, "wallet");
  const registry = new Registry();
  failures.register(registry);
  const text = await registry.metrics();
  expect(text).toContain('aqua_rpc_errors_total{chain_id="1",host="node.example",caller="wallet"} 1');
  expect(text).toContain('aqua_rpc_errors_total{chain_id="1",host="node.example",caller="server"} 0');
  expect(text).not.toContain("0123456789abcdef");
});
