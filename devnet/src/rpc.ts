import type { Hex } from "viem";

/** One JSON-RPC request. */
export interface RpcCall {
  method: string;
  params?: readonly unknown[];
}

interface RpcAnswer {
  id: number;
  result?: unknown;
  error?: { code: number; message: string };
}

/** The local chain's id. Nothing in this folder may ever sign for another chain. */
export const LOCAL_CHAIN_ID = 31337;

/**
 * A JSON-RPC connection that can send many requests in one message, which viem's transport does only by waiting.
 * A node's refusal rejects with the method's name and the node's message. The order in which the requests of one
 * batch run is up to the node.
 */
export class Rpc {
  constructor(readonly url: string) {}

  async call<Result = unknown>(method: string, params: readonly unknown[] = []): Promise<Result> {
    const answer = await this.#post<RpcAnswer>({ jsonrpc: "2.0", id: 0, method, params });
    return unwrap<Result>(answer, method);
  }

  async batch<Result = unknown>(calls: readonly RpcCall[]): Promise<Result[]> {
    if (calls.length === 0) return [];
    const body = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params: params ?? [] }));
    const answers = await this.#post<RpcAnswer[]>(body);
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    return calls.map(({ method }, id) => unwrap<Result>(byId.get(id), method));
  }

  async #post<Answer>(body: unknown): Promise<Answer> {
    const response = await fetch(this.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`The chain at ${this.url} answered HTTP ${response.status}.`);
    return (await response.json()) as Answer;
  }
}

function unwrap<Result>(answer: RpcAnswer | undefined, method: string): Result {
  if (answer === undefined) throw new Error(`${method}: the chain gave no answer.`);
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result as Result;
}

/** Rejects unless the chain behind `rpc` is the local one: the keys used here are public knowledge. */
export async function assertLocalChain(rpc: Rpc): Promise<void> {
  const chainId = Number(await rpc.call<Hex>("eth_chainId"));
  if (chainId !== LOCAL_CHAIN_ID) {
    throw new Error(
      `Refused: the chain at ${rpc.url} has id ${chainId}; the devnet's keys are for ${LOCAL_CHAIN_ID} only.`,
    );
  }
}
