import { BaseError, type Hex, LimitExceededRpcError, RpcRequestError } from "viem";
import { demandVaultAbi } from "../abi/DemandVault.ts";
import { redemptionQueueAbi } from "../abi/RedemptionQueue.ts";
import { termDepositAbi } from "../abi/TermDeposit.ts";
import type { ChainClient } from "../chain/client.ts";
import { atTime } from "./common.ts";
import { lower } from "./events.ts";
import type { Ledger } from "./ledger.ts";
import type { TermStateRow, VaultStateRow } from "./rows.ts";

/** A figure that a contract answers otherwise than its events say. */
export interface StateDifference {
  contract: Hex;
  figure: string;
  fromEvents: string;
  fromContract: string;
}

type Figures = Readonly<Record<string, unknown>>;

/**
 * Compares the accounts after block `block` with what the contracts answer at the end of it. A difference means that the
 * node left out events or that a rule here is wrong, so that no row can be judged by them.
 * @returns null if the node does not have the state of that block
 * @throws the client's error when the node does not answer
 */
export async function compareState(
  client: ChainClient,
  ledger: Ledger,
  block: number,
): Promise<StateDifference[] | null> {
  try {
    return await differencesAt(client, ledger, block);
  } catch (error) {
    if (isRefused(error)) return null;
    throw error;
  }
}

/**
 * Whether the node answered that it cannot, as one does that has deleted the state or whose call reverts. Each program
 * words it differently. False if it did not answer or limits the requests.
 */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const isLimited = error.walk((cause) => cause instanceof LimitExceededRpcError) !== null;
  return !isLimited && error.walk((cause) => cause instanceof RpcRequestError) !== null;
}

async function differencesAt(client: ChainClient, ledger: Ledger, block: number): Promise<StateDifference[]> {
  const at = { blockNumber: BigInt(block) };
  const differences: StateDifference[] = [];
  const compare = (contract: Hex, fromEvents: Figures, fromContract: Figures) => {
    for (const [figure, value] of Object.entries(fromContract)) {
      const [expected, found] = [String(fromEvents[figure]), String(value)];
      if (expected !== found) differences.push({ contract, figure, fromEvents: expected, fromContract: found });
    }
  };
  for (const [address, { state, positions }] of ledger.vaults) {
    compare(address, { ...state }, await readVault(client, address, at));
    if (state.queue) compare(state.queue, { ...state }, await readQueue(client, state.queue, at));
    const held = [...positions.values()].reduce((sum, { shares }) => sum + shares, 0n);
    const elsewhere = state.queued - (state.requested - state.processed);
    compare(address, { supply: held + elsewhere }, { supply: state.supply });
  }
  for (const [address, { state, terms }] of ledger.timeDeposits) {
    compare(address, { ...state }, await readTimeDeposit(client, address, at));
    for (const term of terms.values()) {
      const call = {
        address,
        abi: termDepositAbi,
        functionName: "termOf",
        args: [BigInt(term.termId)],
        ...at,
      } as const;
      const { rate, breakRate, penalty, count, unit, open, cap, principal } = await client.readContract(call);
      // In a winding down the contract no longer counts the principal of a term.
      const counted = state.claims > 0n ? {} : { principal };
      compare(address, { ...term }, { rate, breakRate, penalty, count, unit, open, cap, ...counted });
    }
  }
  return differences;
}

type At = { blockNumber: bigint };

async function readVault(
  client: ChainClient,
  address: Hex,
  at: At,
): Promise<{ [Name in keyof VaultStateRow]?: unknown }> {
  const vault = { address, abi: demandVaultAbi, ...at } as const;
  const [settled, streaming, start, end] = await client.readContract({ ...vault, functionName: "stream" });
  const { deployed, buffer, fee } = await client.readContract({ ...vault, functionName: "desk" });
  return {
    ...{ settled, streaming, streamStart: atTime(start), streamEnd: atTime(end), deployed, buffer, fee },
    supply: await client.readContract({ ...vault, functionName: "totalSupply" }),
    cap: await client.readContract({ ...vault, functionName: "cap" }),
    minDeposit: await client.readContract({ ...vault, functionName: "minDeposit" }),
    pausedUntil: atTime(await client.readContract({ ...vault, functionName: "pausedUntil" })),
    reportAsOf: atTime(await client.readContract({ ...vault, functionName: "lastReportAsOf" })),
    maxRate: await client.readContract({ ...vault, functionName: "maxRate" }),
    maxReportAge: atTime(await client.readContract({ ...vault, functionName: "maxReportAge" })),
    vestingTime: atTime(await client.readContract({ ...vault, functionName: "vestingTime" })),
  };
}

async function readQueue(
  client: ChainClient,
  address: Hex,
  at: At,
): Promise<{ [Name in keyof VaultStateRow]?: unknown }> {
  const call = { address, abi: redemptionQueueAbi, functionName: "totals", ...at } as const;
  const [requested, , processed, setAside] = await client.readContract(call);
  return { requested, processed, setAside };
}

async function readTimeDeposit(
  client: ChainClient,
  address: Hex,
  at: At,
): Promise<{ [Name in keyof TermStateRow]?: unknown }> {
  const product = { address, abi: termDepositAbi, ...at } as const;
  const books = await client.readContract({ ...product, functionName: "books" });
  const [cap, minDeposit, pausedUntil] = await client.readContract({ ...product, functionName: "limits" });
  return {
    ...books,
    ...{ cap, minDeposit, pausedUntil: atTime(pausedUntil) },
    custodian: lower(await client.readContract({ ...product, functionName: "custodian" })),
    buffer: await client.readContract({ ...product, functionName: "buffer" }),
    evidenceUntil: atTime(await client.readContract({ ...product, functionName: "evidenceUntil" })),
  };
}
