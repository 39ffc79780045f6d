import { setTimeout as sleep } from "node:timers/promises";
import { withoutReordering } from "@aqua/sdk/api/text";
import {
  BaseError,
  erc20Abi,
  type Hex,
  HttpRequestError,
  hexToNumber,
  LimitExceededRpcError,
  numberToHex,
  type PublicClient,
  type RpcBlock,
  type RpcLog,
  TimeoutError,
  withTimeout,
} from "viem";

/** A viem client of the chain. Its transport sets the timeout and the retries of a single request. */
export type ChainClient = PublicClient;

export interface ChainBlock {
  number: number;
  hash: Hex;
  parentHash: Hex;
  /** Unix seconds. */
  time: number;
  logsBloom: Hex | null;
}

export interface ChainLog {
  address: Hex;
  topics: readonly Hex[];
  data: Hex;
  block: number;
  blockHash: Hex;
  logIndex: number;
  hash: Hex;
  /** Unix seconds. Null if the node does not include the time in a log. */
  time: number | null;
}

/** The node did not answer, or its answer cannot be used now. A later retry may succeed. */
export class NodeError extends Error {
  override name = "NodeError";
}

export interface Node {
  /** Throws if the node serves another chain. */
  checkChain(): Promise<void>;
  head(): Promise<ChainBlock>;
  /** Returns null if the node does not have that block (yet). */
  block(number: number): Promise<ChainBlock | null>;
  /** Without `addresses`, returns the logs of every contract. */
  logsOfBlock(block: ChainBlock, addresses?: readonly Hex[]): Promise<ChainLog[]>;
  logsOfRange(from: number, to: number, addresses?: readonly Hex[]): Promise<ChainLog[]>;
  /** Reads from contracts as of the end of a block. Returns null if the node has no state of that block. */
  readAt<Answer>(
    block: number,
    read: (client: ChainClient, at: { blockNumber: bigint }) => Promise<Answer>,
  ): Promise<Answer | null>;
  /** For `receipts`, which are ERC-721 tokens and cannot be divided, the decimals are 0. */
  token(address: Hex, receipts?: boolean): Promise<{ name: string; symbol: string; decimals: number }>;
}

const ATTEMPTS = 3;
const PAUSE_MS = 25;
const QUICKLY_MS = 1_000;

/**
 * `answerMs` is the time within which a request must be answered that is small for any node; all others have the time of
 * the client's transport. `answered` is awaited after each answer. An error that it throws passes to the caller
 * unchanged.
 */
export function createNode({
  client,
  chainId,
  answerMs,
  answered = async () => {},
}: {
  client: ChainClient;
  chainId: number;
  answerMs: number;
  answered?: () => Promise<void>;
}): Node {
  async function ask<T>(what: string, call: () => Promise<T>, attempts = ATTEMPTS): Promise<T> {
    const answer = await askUntilAnswered(what, call, attempts);
    await answered();
    return answer;
  }

  /** As `ask`, for a small request: a node that hangs must be noticed within seconds. */
  function askQuickly<T>(what: string, call: () => Promise<T>): Promise<T> {
    return ask(what, () =>
      withTimeout(call, { timeout: answerMs, errorInstance: new NodeError(`${what}: no answer`) }),
    );
  }

  /** A request that fails quickly is retried. A request that stalls has used up its time and is not. */
  async function askUntilAnswered<T>(what: string, call: () => Promise<T>, attempts: number): Promise<T> {
    const begun = Date.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call();
      } catch (error) {
        if (error instanceof NodeError) throw error;
        if (attempt >= attempts || Date.now() - begun > QUICKLY_MS) {
          throw new NodeError(`${what}: ${shortMessage(error)}`, { cause: error });
        }
        await sleep(PAUSE_MS * attempt);
      }
    }
  }

  async function logs(filter: { blockHash: Hex } | { fromBlock: Hex; toBlock: Hex }, addresses?: readonly Hex[]) {
    const whose = addresses === undefined ? {} : { address: [...addresses] };
    const request = () => client.request({ method: "eth_getLogs", params: [{ ...whose, ...filter }] });
    // A range that is too wide for the node fails every time. The caller narrows it.
    const answer = await ("blockHash" in filter ? askQuickly("eth_getLogs", request) : ask("eth_getLogs", request, 1));
    return answer.map(toLog).sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
  }

  return {
    async checkChain() {
      const answer = await askQuickly("eth_chainId", () => client.request({ method: "eth_chainId" }));
      if (hexToNumber(answer) !== chainId) {
        throw new NodeError(`the node serves chain ${hexToNumber(answer)}, not ${chainId}`);
      }
    },
    async head() {
      const block = await askQuickly("eth_getBlockByNumber", () =>
        client.request({ method: "eth_getBlockByNumber", params: ["latest", false] }),
      );
      if (!block) throw new NodeError("the node has no latest block");
      return toBlock(block);
    },
    async block(number) {
      const block = await askQuickly("eth_getBlockByNumber", () =>
        client.request({ method: "eth_getBlockByNumber", params: [numberToHex(number), false] }),
      );
      if (!block) return null;
      const parsed = toBlock(block);
      if (parsed.number !== number) throw new NodeError(`asked for block ${number}, got ${parsed.number}`);
      return parsed;
    },
    async logsOfBlock(block, addresses) {
      const found = await logs({ blockHash: block.hash }, addresses);
      if (found.some((log) => log.blockHash !== block.hash)) {
        throw new NodeError(`logs of another block than ${block.hash}`);
      }
      return found.map((log) => ({ ...log, time: block.time }));
    },
    async logsOfRange(from, to, addresses) {
      const found = await logs({ fromBlock: numberToHex(from), toBlock: numberToHex(to) }, addresses);
      if (found.some((log) => log.block < from || log.block > to)) throw new NodeError("logs outside the range");
      return found;
    },
    async readAt(block, read) {
      try {
        return await ask("eth_call", () => read(client, { blockNumber: BigInt(block) }));
      } catch (error) {
        if (isUnanswerable(error)) return null;
        throw error;
      }
    },
    async token(address, receipts = false) {
      const read = <Name extends "name" | "symbol" | "decimals">(functionName: Name) =>
        ask(`${functionName} of ${address}`, () => client.readContract({ address, abi: erc20Abi, functionName }));
      const [name, symbol, decimals] = await Promise.all([
        read("name"),
        read("symbol"),
        receipts ? 0 : read("decimals"),
      ]);
      // A token can have any name, including characters that PostgreSQL's text type cannot hold.
      return { name: withoutReordering(name), symbol: withoutReordering(symbol), decimals };
    },
  };
}

function toBlock(block: RpcBlock): ChainBlock {
  if (!block.hash || !block.number) throw new NodeError("the node answered a block that is not mined");
  return {
    number: hexToNumber(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    time: hexToNumber(block.timestamp),
    logsBloom: block.logsBloom,
  };
}

function toLog(log: RpcLog): ChainLog {
  if (!log.blockHash || !log.blockNumber || !log.logIndex || !log.transactionHash || log.removed) {
    throw new NodeError("the node answered a log that is not mined");
  }
  const { blockTimestamp } = log as { blockTimestamp?: Hex };
  return {
    address: log.address.toLowerCase() as Hex,
    topics: log.topics,
    data: log.data,
    block: hexToNumber(log.blockNumber),
    blockHash: log.blockHash,
    logIndex: hexToNumber(log.logIndex),
    hash: log.transactionHash,
    time: blockTimestamp ? hexToNumber(blockTimestamp) : null,
  };
}

/**
 * Returns whether an available node rejected the request, as a node does that has pruned the state of a block. Each
 * node program words this differently. A node that is unavailable or limits the request rate may still answer later.
 */
function isUnanswerable(error: unknown): boolean {
  if (!(error instanceof NodeError) || !(error.cause instanceof BaseError)) return false;
  const away = error.cause.walk(
    (cause) =>
      cause instanceof HttpRequestError || cause instanceof TimeoutError || cause instanceof LimitExceededRpcError,
  );
  return away === null;
}

/** viem's full messages contain the whole request. The short message is one line. */
function shortMessage(error: unknown): string {
  if (error instanceof Error) return "shortMessage" in error ? String(error.shortMessage) : error.message;
  return String(error);
}
