import { createPublicClient, custom, encodeAbiParameters } from "viem";
import { expect, it } from "vitest";
import { createNode, NodeError } from "../../src/indexer/node.ts";

it("createNode removes from a token's name the characters that the database cannot store and those that reorder the surrounding text", async () => {
  const answer = encodeAbiParameters([{ type: "string" }], ["USD\0 \u202e00.5\u2066"]);
  const client = createPublicClient({ transport: custom({ request: async () => answer }) });
  const node = createNode({ client, chainId: 1, answerMs: 60_000 });
  const { name, symbol } = await node.token("0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f", true);
  expect([name, symbol]).toEqual(["USD 00.5", "USD 00.5"]);
});

it("createNode gives up a small request that the node does not answer in time, and waits longer for a range of logs", async () => {
  let answerLogs = (_: unknown[]) => {};
  const request = ({ method }: { method: string }) =>
    new Promise<unknown>((resolve) => {
      if (method === "eth_getLogs") answerLogs = resolve;
    });
  const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) });
  const node = createNode({ client, chainId: 1, answerMs: 20 });
  const range = node.logsOfRange(1, 2);
  await expect(node.head()).rejects.toThrow(NodeError);
  await expect(node.checkChain()).rejects.toThrow("eth_chainId: no answer");
  answerLogs([]);
  expect(await range).toEqual([]);
});
