import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createFairQueue } from "../../src/limits/queue.ts";
import { workOf } from "../../src/rpc/policy.ts";
import { createUpstream, NodeUnavailable } from "../../src/rpc/upstream.ts";

const endless = workOf([{ jsonrpc: "2.0", id: 1, method: "eth_call", params: [{ data: "0x5b600056" }] }], 1);
if (endless === null) throw new Error("a single call is always passed on");

/** A node that answers when the test releases it, and counts its running calls. */
async function workingNode() {
  const ends = new Set<() => void>();
  const server = createServer((request, response) => {
    request.resume();
    const end = () => response.end('{"jsonrpc":"2.0","id":0,"result":"0x1"}');
    ends.add(end);
    response.once("close", () => ends.delete(end));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ends };
}

const one = { running: { perNetwork: 1 }, waiting: { perNetwork: 1 }, waitMs: 600_000 };

it("RpcQueue holds the place of an abandoned call until the node has done its work", async () => {
  const { url, ends } = await workingNode();
  const send = createUpstream([url], { timeoutMs: 50, workMsPerUnit: 600_000 });
  const queue = createFairQueue(one);
  await expect(queue(["a"], (hold) => send(endless, hold))).rejects.toThrow(NodeUnavailable);
  let begun = false;
  const next = queue(["a"], async () => {
    begun = true;
  });
  expect([ends.size, begun]).toEqual([1, false]);
  for (const end of ends) end();
  await next;
});

it("RpcQueue releases a place at the time limit of a silent node", async () => {
  const { url } = await workingNode();
  const send = createUpstream([url], { timeoutMs: 50, workMsPerUnit: 10 });
  const queue = createFairQueue(one);
  await expect(queue(["a"], (hold) => send(endless, hold))).rejects.toThrow(NodeUnavailable);
  await queue(["a"], async () => {});
});

it("Upstream asks the next node after a silent one, and the silent one's place stays taken", async () => {
  const [silent, ready] = [await workingNode(), await workingNode()];
  const send = createUpstream([silent.url, ready.url], { timeoutMs: 600, workMsPerUnit: 600_000 });
  const queue = createFairQueue(one);
  const outcome = queue(["a"], (hold) => send(endless, hold));
  await expect.poll(() => ready.ends.size).toBe(1);
  for (const end of ready.ends) end();
  expect((await outcome).outcomes()).toEqual([{ result: Buffer.from('"0x1"') }]);
  let begun = false;
  const next = queue(["a"], async () => {
    begun = true;
  });
  expect([silent.ends.size, begun]).toEqual([1, false]);
  for (const end of silent.ends) end();
  await next;
});
