import { z } from "zod";
import type { Hold } from "../limits/queue.ts";
import { accessKeysOf } from "../secrets.ts";
import { ANSWER_MAX, answerMaxOf, ERROR_MAX, type RpcCall, type RpcError, type Work } from "./policy.ts";
import { elementsOf, isArray, membersOf, type Span, startOf } from "./spans.ts";

/** A result is the node's JSON as received. Parsing a large one would block the main thread. */
export type RpcOutcome = { result: Buffer } | { error: RpcError };

/** No node of the chain returned a usable answer. The error never contains their addresses. */
export class NodeUnavailable extends Error {
  override name = "NodeUnavailable";
}

/** The answer of a node. */
export interface NodeAnswer {
  bytes: number;
  /**
   * The outcomes in the order of the calls. For a large answer they are extracted by this call. @throws if it is not an
   * answer to the calls
   */
  outcomes(): RpcOutcome[];
}

/** An answer above this size, in bytes, is large: processing it blocks the main thread noticeably. */
export const LARGE_ANSWER = 64 * 1024;

export interface UpstreamOptions {
  /** Milliseconds that one node has to answer, and milliseconds for all nodes together. */
  timeoutMs?: number;
  totalMs?: number;
  /** Milliseconds that a node is assumed to continue working after the timeout, per unit of the calls' cost. */
  workMsPerUnit?: number;
  /** Called for each request that a node did not answer. */
  failed?: (url: string) => void;
}

const errorForm = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });

/** A node that failed is tried last for this long. */
const COOL_DOWN_MS = 10_000;

const NULL = Buffer.from("null");

/** The code is one for which clients do not repeat the call automatically. */
const TOO_LARGE: RpcError = { code: -32602, message: "The answer to this call is too large; ask for less at once" };

/**
 * Passes calls on to the nodes of one chain and returns the first answer. A node continues working after we stop
 * waiting, so `hold` receives a promise that ends with the node's answer. It ends at the latest when the calls' cost
 * makes it likely that the node is done.
 */
export function createUpstream(
  urls: readonly string[],
  { timeoutMs = 8_000, totalMs = 12_000, workMsPerUnit = 200, failed = () => {} }: UpstreamOptions = {},
) {
  const failedAt = new Map<string, number>();
  const secrets = urls.flatMap((url) => [new URL(url).host, ...accessKeysOf(url)]);

  return async function send({ calls, cost }: Work, hold: Hold): Promise<NodeAnswer> {
    // Uses own ids, because the callers' ids may repeat within a batch.
    const requests = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
    const body = JSON.stringify(requests.length === 1 ? requests[0] : requests);
    const now = Date.now();
    const cooling = (url: string) => (now - (failedAt.get(url) ?? 0) < COOL_DOWN_MS ? 1 : 0);
    const order = [...urls].sort((a, b) => cooling(a) - cooling(b));
    // If the first node received a transaction before it stopped answering, a second node would report the transaction
    // as known, and the wallet would show that as a failure. A transaction is therefore sent only once, to the
    // preferred node.
    const tries = calls.some(({ method }) => method === "eth_sendRawTransaction") ? order.slice(0, 1) : order;
    for (const url of tries) {
      const left = now + totalMs - Date.now();
      if (left <= 0) break;
      try {
        const withinMs = Math.min(timeoutMs, left);
        const answer = ask(url, body, AbortSignal.timeout(withinMs + cost * workMsPerUnit));
        hold(answer);
        const chunks = await within(answer, withinMs);
        const bytes = sizeOf(chunks);
        if (bytes > LARGE_ANSWER) return { bytes, outcomes: () => outcomesOf(chunks, calls) };
        const outcomes = outcomesOf(chunks, calls);
        failedAt.delete(url);
        return { bytes, outcomes: () => outcomes };
      } catch {
        failed(url);
        failedAt.set(url, Date.now());
      }
    }
    throw new NodeUnavailable("the node of this chain does not answer");
  };

  /** Reads the bytes of an answer. Stops after the first chunk that exceeds `ANSWER_MAX`. */
  async function ask(url: string, body: string, signal: AbortSignal): Promise<Uint8Array[]> {
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body, redirect: "error", signal });
    if (response.status === 429) {
      await response.body?.cancel();
      throw new Error("the node is busy");
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size > ANSWER_MAX) break;
    }
    return chunks;
  }

  /** @throws if it is not an answer to these calls */
  function outcomesOf(chunks: readonly Uint8Array[], calls: readonly RpcCall[]): RpcOutcome[] {
    if (sizeOf(chunks) > ANSWER_MAX) return calls.map(() => ({ error: TOO_LARGE }));
    const bytes = Buffer.concat(chunks);
    const begin = startOf(bytes);
    const answers = new Map<unknown, Map<string, Span>>();
    for (const { start } of isArray(bytes, begin) ? elementsOf(bytes, begin) : [{ start: begin }]) {
      const members = membersOf(bytes, start);
      answers.set(parsed(bytes, members.get("id")), members);
    }
    return calls.map((call, id) => {
      const members = answers.get(id);
      if (members === undefined) throw new SyntaxError("the node did not answer a call");
      const error = members.get("error");
      if (error !== undefined && textOf(bytes, error) !== "null") return { error: errorOf(bytes, error) };
      const result = members.get("result");
      if (result === undefined) return { result: NULL };
      if (result.end - result.start > answerMaxOf(call)) return { error: TOO_LARGE };
      return { result: bytes.subarray(result.start, result.end) };
    });
  }

  function errorOf(bytes: Buffer, span: Span): RpcError {
    if (span.end - span.start <= ERROR_MAX) return withoutSecrets(errorForm.parse(parsed(bytes, span)));
    const members = membersOf(bytes, span.start);
    const of = (name: string) => {
      const value = members.get(name);
      return value === undefined || value.end - value.start > ERROR_MAX ? undefined : parsed(bytes, value);
    };
    const code = z.number().parse(of("code"));
    const message = z.string().catch("The node refused the call").parse(of("message"));
    return withoutSecrets({ code, message: `${message} (the rest of this error is too large to be passed on)` });
  }

  function withoutSecrets({ code, message, data }: { code: number; message: string; data?: unknown }): RpcError {
    const text = `${message} ${data === undefined ? "" : JSON.stringify(data)}`.toLowerCase();
    if (secrets.some((secret) => text.includes(secret))) return { code, message: "The node refused the call" };
    return data === undefined ? { code, message } : { code, message, data };
  }
}

const sizeOf = (chunks: readonly Uint8Array[]) => chunks.reduce((sum, { length }) => sum + length, 0);

function parsed(bytes: Buffer, span: Span | undefined): unknown {
  return span === undefined ? undefined : JSON.parse(bytes.toString("utf8", span.start, span.end));
}

/** The text of a value, cut to the length that is needed to recognise `null`. */
function textOf(bytes: Buffer, { start, end }: Span): string {
  return bytes.toString("latin1", start, Math.min(end, start + 5));
}

/** @throws if `work` has not ended within `ms`; the work continues */
async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the node did not answer in time")), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
