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
/** Addresses of a log filter, and values of each of its topics. */
const LOG_VALUES_MAX = 100;
/** Gas one call may burn on the node, as Geth caps it by default. */
export const GAS_MAX = 50_000_000n;
/** What the calls of one batch may cost together; see `costOf`. */
export const BATCH_COST_MAX = 100;
const FEE_BLOCKS_MAX = 1_024;

/**
 * Why a call is not passed on, or null when it is. `head` is the newest known block of the chain. State and block
 * overrides are refused: they let a caller run any code over any state at the node's cost.
 */
export function refusalOf(call: RpcCall, head: number | null): RpcError | null {
  const { method, params } = call;
  if (!ALLOWED.has(method)) {
    return { code: -32601, message: `The method ${method.replace(/[^\w]/g, "")} is not available here` };
  }
  if (isSimulation(method)) {
    if (!simulated.safeParse(params[0]).success) {
      return { code: -32602, message: `${method} takes a transaction, its gas in hex, and no other fields` };
    }
    if (params.slice(2).some((one) => one !== null && one !== undefined)) {
      return { code: -32602, message: `${method} takes no state or block overrides here` };
    }
  }
  if (method === "eth_getLogs" && logBlocks(params[0], head) === null) {
    return { code: -32602, message: `eth_getLogs takes a range of at most ${LOG_BLOCKS_MAX} blocks` };
  }
  if (method === "eth_feeHistory" && !feeHistory.safeParse(params).success) {
    return { code: -32602, message: `eth_feeHistory takes at most ${FEE_BLOCKS_MAX} blocks` };
  }
  return null;
}

/** The call as it is passed on: its gas is at most `GAS_MAX`. Only for calls `refusalOf` does not refuse. */
export function withCappedGas(call: RpcCall): RpcCall {
  if (!isSimulation(call.method)) return call;
  const [transaction, ...rest] = call.params;
  const { gas } = simulated.parse(transaction);
  if (gas === undefined || gas === null || BigInt(gas) <= GAS_MAX) return call;
  return { ...call, params: [{ ...(transaction as object), gas: `0x${GAS_MAX.toString(16)}` }, ...rest] };
}

/** How much of a caller's limit a call uses up: 1 for a look-up, more for what makes the node compute or search. */
export function costOf({ method, params }: RpcCall, head: number | null): number {
  if (method === "eth_call" || method === "eth_sendRawTransaction") return 2;
  if (method === "eth_estimateGas") return 4;
  if (method === "eth_getLogs") return 1 + Math.ceil((logBlocks(params[0], head) ?? 0) / 1_000);
  return 1;
}

function isSimulation(method: string): boolean {
  return method === "eth_call" || method === "eth_estimateGas";
}

const simulated = z.strictObject({
  gas: z
    .string()
    .regex(/^0x[0-9a-fA-F]{1,64}$/)
    .nullish(),
  ...Object.fromEntries(
    [
      ...["from", "to", "value", "data", "input", "nonce", "type", "chainId", "accessList", "authorizationList"],
      ...["gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"],
    ].map((name) => [name, z.unknown().optional()]),
  ),
});

const feeHistory = z.tuple([
  z.union([
    z.number().int().min(0).max(FEE_BLOCKS_MAX),
    z
      .string()
      .regex(/^(0x[0-9a-fA-F]{1,4}|\d{1,4})$/)
      .refine((text) => Number(text) <= FEE_BLOCKS_MAX),
  ]),
  z.unknown(),
  z.array(z.number()).max(100).nullish(),
]);

const logValues = z.union([z.string(), z.null(), z.array(z.string()).max(LOG_VALUES_MAX)]).optional();
const logFilter = z.object({
  blockHash: z.string().optional(),
  fromBlock: z.string().optional(),
  toBlock: z.string().optional(),
  address: logValues,
  topics: z.array(logValues).max(4).nullish(),
});

/** How many blocks a log filter covers; null where it is none, too wide or without bounds. */
function logBlocks(filter: unknown, head: number | null): number | null {
  const parsed = logFilter.safeParse(filter);
  if (!parsed.success) return null;
  if (parsed.data.blockHash !== undefined) return 1;
  const from = blockNumber(parsed.data.fromBlock, head);
  const to = blockNumber(parsed.data.toBlock, head);
  if (from === "head" || to === "head") return from === to ? 1 : null;
  if (from === null || to === null || to - from >= LOG_BLOCKS_MAX) return null;
  return Math.max(1, to - from + 1);
}

/** A missing block means the latest (Ethereum JSON-RPC, eth_getLogs); "head" is the latest while its number is unknown. */
function blockNumber(tag: string | undefined, head: number | null): number | "head" | null {
  if (tag === undefined || tag === "latest" || tag === "pending") return head ?? "head";
  if (tag === "earliest") return 0;
  return /^0x[0-9a-fA-F]{1,13}$/.test(tag) ? Number(tag) : null;
}
