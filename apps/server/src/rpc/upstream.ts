import { z } from "zod";
import { accessKeysOf } from "../secrets.ts";
import type { RpcCall, RpcError } from "./policy.ts";

export type RpcOutcome = { result: unknown } | { error: RpcError };

/** No node of the chain gave a usable answer. Never carries their addresses. */
export class NodeUnavailable extends Error {
  override name = "NodeUnavailable";
}

export interface UpstreamOptions {
  /** Milliseconds a node has to answer, and all of them together. */
  timeoutMs?: number;
  totalMs?: number;
  /** Bytes of an answer; a larger one counts as none. */
  answerMax?: number;
}

const answer = z.object({
  id: z.number().int(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});

/** A node that failed is asked last for this long. */
const COOL_DOWN_MS = 10_000;

/** Passes calls on to the nodes of one chain, the first that answers; outcomes are in the order of the calls. */
export function createUpstream(
  urls: readonly string[],
  { timeoutMs = 8_000, totalMs = 12_000, answerMax = 16 * 1024 * 1024 }: UpstreamOptions = {},
) {
  const failedAt = new Map<string, number>();
  const secrets = urls.flatMap((url) => [new URL(url).host, ...accessKeysOf(url)]);

  return async function send(calls: readonly RpcCall[]): Promise<RpcOutcome[]> {
    const now = Date.now();
    const cooling = (url: string) => (now - (failedAt.get(url) ?? 0) < COOL_DOWN_MS ? 1 : 0);
    const order = [...urls].sort((a, b) => cooling(a) - cooling(b));
    // A second node would call a transaction known that the first took in before it fell silent; the wallet would show
    // that as a failure. So what was sent is sent once, to the node that counts as well.
    const tries = calls.some(({ method }) => method === "eth_sendRawTransaction") ? order.slice(0, 1) : order;
    for (const url of tries) {
      const left = now + totalMs - Date.now();
      if (left <= 0) break;
      try {
        const outcomes = await ask(url, calls, Math.min(timeoutMs, left));
        failedAt.delete(url);
        return outcomes;
      } catch {
        failedAt.set(url, Date.now());
      }
    }
    throw new NodeUnavailable("the node of this chain does not answer");
  };

  async function ask(url: string, calls: readonly RpcCall[], withinMs: number): Promise<RpcOutcome[]> {
    // Our own ids: those of the callers may repeat within a batch.
    const requests = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(requests.length === 1 ? requests[0] : requests),
      redirect: "error",
      signal: AbortSignal.timeout(withinMs),
    });
    if (response.status === 429) {
      await response.body?.cancel();
      throw new Error("the node is busy");
    }
    const body: unknown = JSON.parse(await readBounded(response));
    const answers = new Map(
      z
        .array(answer)
        .parse(Array.isArray(body) ? body : [body])
        .map((one) => [one.id, one]),
    );
    return requests.map(({ id }) => {
      const one = answers.get(id);
      if (one === undefined) throw new Error("the node left a call without an answer");
      return one.error === undefined ? { result: one.result ?? null } : { error: withoutSecrets(one.error) };
    });
  }

  async function readBounded(response: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > answerMax) throw new Error("the answer is too large");
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  }

  function withoutSecrets({ code, message, data }: { code: number; message: string; data?: unknown }): RpcError {
    const text = `${message} ${data === undefined ? "" : JSON.stringify(data)}`.toLowerCase();
    if (secrets.some((secret) => text.includes(secret))) return { code, message: "The node refused the call" };
    return data === undefined ? { code, message } : { code, message, data };
  }
}
