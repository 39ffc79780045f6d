import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { CommandError } from "../api.ts";

interface Call {
  jsonrpc?: string;
  id?: unknown;
  method: string;
  params?: unknown[];
}

export interface PinnedNode {
  url: string;
  close(): void;
}

/** After so many calls in a row that no node answered, the nodes are gone. A slow answer counts as none of them. */
const FAILURES_IN_A_ROW = 10;
const NEWEST = new Set(["latest", "pending", "safe", "finalized"]);

/**
 * Offers nodes of a chain at an address of this machine as they were when `block` was the newest block, so that two
 * servers compute figures of one and the same block while the chain goes on.
 * @throws CommandError if the nodes do not have the block, or have another one of this number
 */
export async function pinNode({
  chainId,
  rpcUrls,
  block,
  hash,
  gone,
}: {
  chainId: number;
  rpcUrls: readonly string[];
  block: number;
  hash: string;
  /** Called when the nodes answer no more. */
  gone: (error: CommandError) => void;
}): Promise<PinnedNode> {
  const number = `0x${block.toString(16)}`;
  let failures = 0;

  async function send(call: Call): Promise<{ status: number; body: string }> {
    const body = JSON.stringify(call);
    const headers = { "content-type": "application/json" };
    let failure: unknown;
    for (const url of rpcUrls) {
      try {
        const response = await fetch(url, { method: "POST", headers, body, redirect: "error" });
        const answer = { status: response.status, body: await response.text() };
        failures = 0;
        return answer;
      } catch (error) {
        failure = error;
      }
    }
    const { message, cause } = failure as Error;
    throw new CommandError(
      `the node of chain ${chainId} does not answer (${cause instanceof Error ? cause.message : message}); run the command again when it does`,
    );
  }

  async function answer(call: Call): Promise<string> {
    if (call.method === "eth_blockNumber") return JSON.stringify({ jsonrpc: "2.0", id: call.id, result: number });
    return (await send(pinned(call, number))).body;
  }

  const read = await send({ jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params: [number, false] });
  const found = hashIn(read.body);
  if (found === undefined) {
    throw new CommandError(
      `the node of chain ${chainId} does not answer: HTTP ${read.status}; correct RPC_URL_${chainId}`,
    );
  }
  if (found === null) {
    throw new CommandError(
      `the node of chain ${chainId} does not have block ${block}, which the database has; run the command again when it does`,
    );
  }
  if (found !== hash) {
    throw new CommandError(
      `the node of chain ${chainId} has another block ${block} than the database; run the command again when both follow one branch`,
    );
  }

  const server = createServer(async (request, response) => {
    try {
      const calls = JSON.parse(await text(request)) as Call | Call[];
      const body = Array.isArray(calls) ? `[${(await Promise.all(calls.map(answer))).join(",")}]` : await answer(calls);
      response.setHeader("content-type", "application/json").end(body);
    } catch (error) {
      failures += 1;
      if (failures === FAILURES_IN_A_ROW && error instanceof CommandError) gone(error);
      response.writeHead(502).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The call with the pinned block in place of the names of the newest one. */
function pinned(call: Call, number: string): Call {
  const text = JSON.stringify(call.params ?? [], (_, value) => (NEWEST.has(value) ? number : value));
  return { ...call, params: JSON.parse(text) };
}

/** The hash of an answered block, null if there is none, undefined if the answer is no answer of a node. */
function hashIn(body: string): string | null | undefined {
  try {
    const { result } = JSON.parse(body) as { result?: { hash: string } | null };
    return result === undefined || result === null ? result : result.hash;
  } catch {
    return undefined;
  }
}
