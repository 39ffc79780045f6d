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
 * The calls that a wallet or a page needs to read a chain and to send signed transactions. All other calls are blocked:
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

const KIB = 1024;
/**
 * Maximum bytes of a node's answer to a whole request. The largest legitimate answers are blocks with all their
 * transactions.
 */
export const ANSWER_MAX = 4 * KIB * KIB;
/** Maximum bytes of the logs of one search, about 2,500 logs. */
const LOGS_MAX = 2 * KIB * KIB;
/** Maximum bytes of an error and of a simulation's result. Any contract can produce them at any length. */
export const ERROR_MAX = 256 * KIB;

const LOG_BLOCKS_MAX = 10_000;
/** Maximum number of addresses in a log filter, and of values in each of its topics. */
const LOG_VALUES_MAX = 100;
/** Maximum gas that one call may use on the node; Geth has the same default limit. */
const GAS_MAX = 50_000_000;
/** Gas of a call that names none. It is several times what typical reads and typical transactions of a wallet need. */
const GAS_UNNAMED = 10_000_000;
/** Maximum gas that the calls of one request may use together. */
export const BATCH_GAS_MAX = 100_000_000;
/** Minimum gas per call. Less would break legitimate calls, so a batch that leaves less is rejected as a whole. */
const GAS_LEAST = 1_000_000;
/** A call costs 1 more for each such amount of gas. */
const GAS_PER_UNIT = 2_500_000;
/** Maximum cost of the calls in one batch; see `costOf`. */
const BATCH_COST_MAX = 100;
const FEE_BLOCKS_MAX = 1_024;

/**
 * The reason why a call is not passed on. Null if it is passed on. `head` is the newest known block of the chain. State
 * and block overrides are rejected, because with them a caller could run any code over any state at the node's cost.
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

/** Calls that `refusalOf` accepts, in the form in which they are passed on. */
export interface Work {
  /** Each simulation has its own gas. */
  calls: RpcCall[];
  /** The amount of a caller's limit that the calls use; see `costOf`. */
  cost: number;
}

/**
 * Sets the gas of each simulation: the gas that it names, at most `GAS_MAX`, or a share of the gas that the others of
 * the batch leave. Null if the calls together demand too much of the node.
 */
export function workOf(calls: readonly RpcCall[], head: number | null): Work | null {
  let left = BATCH_GAS_MAX;
  let unnamed = 0;
  for (const call of calls) {
    const gas = gasOf(call);
    if (gas === null) unnamed += runsOf(call);
    else left -= gas * runsOf(call);
  }
  const share = Math.min(GAS_UNNAMED, Math.floor(left / unnamed));
  if (left < 0 || (unnamed > 0 && share < GAS_LEAST)) return null;
  const withGas = calls.map((call) => {
    if (!isSimulation(call.method)) return call;
    const [transaction, ...rest] = call.params;
    const gas = `0x${(gasOf(call) ?? share).toString(16)}`;
    return { ...call, params: [{ ...(transaction as object), gas }, ...rest] };
  });
  const cost = withGas.reduce((sum, call) => sum + costOf(call, head), 0);
  return calls.length > 1 && cost > BATCH_COST_MAX ? null : { calls: withGas, cost };
}

/** The gas that a call names, at most `GAS_MAX`. 0 if it uses none, null if it names none. */
function gasOf({ method, params }: RpcCall): number | null {
  if (!isSimulation(method)) return 0;
  const { gas } = simulated.parse(params[0]);
  return gas === undefined || gas === null ? null : Math.min(Number(gas), GAS_MAX);
}

/**
 * How often a node effectively runs a call. It runs an estimate repeatedly with less gas, and rarely with all of it.
 */
function runsOf({ method }: RpcCall): number {
  return method === "eth_estimateGas" ? 2 : isSimulation(method) ? 1 : 0;
}

/**
 * The amount of a caller's limit that a call uses: 1 for a look-up, more if the node must compute or search. For a
 * simulation the gas decides, which `workOf` has set.
 */
function costOf(call: RpcCall, head: number | null): number {
  const { method, params } = call;
  if (method === "eth_sendRawTransaction") return 2;
  if (isSimulation(method)) {
    return Math.max(2, Math.ceil((gasOf(call) ?? GAS_UNNAMED) / GAS_PER_UNIT)) * runsOf(call);
  }
  if (method === "eth_getLogs") return 1 + Math.ceil((logBlocks(params[0], head) ?? 0) / 1_000);
  return 1;
}

/** Maximum bytes of a node's answer to a call. A longer answer is replaced by an error. */
export function answerMaxOf({ method }: RpcCall): number {
  if (isSimulation(method)) return ERROR_MAX;
  return method === "eth_getLogs" ? LOGS_MAX : ANSWER_MAX;
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

/** The number of blocks that a log filter covers. Null if the filter is invalid, too wide or unbounded. */
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

/**
 * A missing block means the latest (Ethereum JSON-RPC, eth_getLogs). "head" is the latest block while its number is
 * unknown.
 */
function blockNumber(tag: string | undefined, head: number | null): number | "head" | null {
  if (tag === undefined || tag === "latest" || tag === "pending") return head ?? "head";
  if (tag === "earliest") return 0;
  return /^0x[0-9a-fA-F]{1,13}$/.test(tag) ? Number(tag) : null;
}
