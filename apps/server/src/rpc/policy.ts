import { z } from "zod";

export const rpcCall = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string().max(128), z.number(), z.null()]).default(null),
  method: z.string().max(64),
  params: z.array(z.unknown()).max(16).default([]),
});
export type RpcCall = z.infer<typeof rpcCall>;
export const BATCH_MAX = 50;
export const rpcBody = z.union([rpcCall, z.array(rpcCall).min(1).max(BATCH_MAX)]);

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/**
 * What a wallet or a page needs to read a chain and to send what was signed elsewhere. Everything else stays closed:
 * a node may offer calls that hold keys, mine blocks or rewrite the state.
 */
const ALLOWED = new Set([
  "eth_blockNumber",
  "eth_call",
  "eth_chainId",
  "eth_estimateGas",
  "eth_feeHistory",
  "eth_gasPrice",
  "eth_getBalance",
  "eth_getBlockByHash",
  "eth_getBlockByNumber",
  "eth_getCode",
  "eth_getLogs",
  "eth_getStorageAt",
  "eth_getTransactionByHash",
  "eth_getTransactionCount",
  "eth_getTransactionReceipt",
  "eth_maxPriorityFeePerGas",
  "eth_sendRawTransaction",
  "eth_syncing",
  "net_version",
  "web3_clientVersion",
]);

const LOG_BLOCKS_MAX = 10_000;

/** Why a call is not passed on, or null when it is. `head` is the newest known block of the chain. */
export function refusalOf(call: RpcCall, head: number | null): RpcError | null {
  if (!ALLOWED.has(call.method)) {
    return { code: -32601, message: `The method ${call.method.replace(/[^\w]/g, "")} is not available here` };
  }
  if (call.method === "eth_getLogs" && !isBounded(call.params[0], head)) {
    return { code: -32602, message: `eth_getLogs takes a range of at most ${LOG_BLOCKS_MAX} blocks` };
  }
  return null;
}

const logFilter = z.object({
  blockHash: z.string().optional(),
  fromBlock: z.string().optional(),
  toBlock: z.string().optional(),
});

function isBounded(filter: unknown, head: number | null): boolean {
  const parsed = logFilter.safeParse(filter);
  if (!parsed.success) return false;
  if (parsed.data.blockHash !== undefined) return true;
  const from = blockNumber(parsed.data.fromBlock, head);
  const to = blockNumber(parsed.data.toBlock, head);
  if (from === "head" || to === "head") return from === to;
  return from !== null && to !== null && to - from < LOG_BLOCKS_MAX;
}

/** A missing block means the latest (Ethereum JSON-RPC, eth_getLogs); "head" is the latest while its number is unknown. */
function blockNumber(tag: string | undefined, head: number | null): number | "head" | null {
  if (tag === undefined || tag === "latest" || tag === "pending") return head ?? "head";
  if (tag === "earliest") return 0;
  return /^0x[0-9a-fA-F]{1,13}$/.test(tag) ? Number(tag) : null;
}
