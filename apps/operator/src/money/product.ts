import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { vaultBuffer } from "@aqua/sdk/maths/exit";
import {
  bufferOf,
  coverageOf,
  deployableOf,
  freeInterest,
  type TermAccounts,
  withdrawableInterest,
} from "@aqua/sdk/maths/receipts";
import { previewMint } from "@aqua/sdk/maths/shares";
import { formatUnits, larger } from "@aqua/sdk/maths/units";
import {
  type Abi,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  erc20Abi,
  getAddress,
  zeroAddress,
} from "viem";
import { CommandError } from "../api.ts";
import { type ChainSession, type ChainValues, openChain } from "../chainSession.ts";
import type { Terminal } from "../terminal.ts";

/** The type of a time deposit in the ProductRegistry. */
export const TIME_DEPOSIT = 1;

/** A product on its chain, for acts with its money. */
export interface MoneyProduct {
  session: ChainSession;
  shortId: string;
  kind: "vault" | "term";
  address: Address;
  /** The redemption queue of a demand deposit; null for a time deposit. */
  queue: Address | null;
  asset: { address: Address; symbol: string; decimals: number };
}

export interface Read {
  address: Address;
  abi: Abi;
  functionName: string;
  args?: readonly unknown[];
}

/** What a product's `reviewedLoss` answers: smallest units, and Unix seconds. */
interface ReviewedLoss {
  amount: bigint;
  until: bigint;
}

/** The state of a demand deposit. Amounts in smallest units, times in Unix seconds. */
export interface VaultState {
  kind: "vault";
  totalAssets: bigint;
  /** Total assets with the gain that is not yet streamed. */
  held: bigint;
  deployed: bigint;
  cash: bigint;
  deployable: bigint;
  buffer: bigint;
  /** Value of all shares in the queue. */
  owed: bigint;
  /** Shares in the queue that are payable now. */
  payable: bigint;
  setAside: bigint;
  /** What lies in the vault beyond the depositors' money. */
  surplus: bigint;
  reportedTo: bigint;
  maxReportAge: bigint;
  evidenceUntil: number;
  reviewed: ReviewedLoss;
  custodian: Address;
  treasury: Address;
}

/** The state of a time deposit. Amounts in smallest units. */
export interface TermState extends TermAccounts {
  kind: "term";
  custodian: Address;
  reviewed: ReviewedLoss;
}

export type State = VaultState | TermState;

/** @throws CommandError for a wrong option, a node that does not answer, and a product that the chain does not have */
export async function openProduct(shortId: string, values: ChainValues, terminal: Terminal): Promise<MoneyProduct> {
  const session = await openChain(values, terminal);
  const { client, chainId, deployment } = session;
  const [address, type, asset] = await client
    .readContract({
      address: getAddress(deployment.product_registry),
      abi: productRegistryAbi,
      functionName: "productOf",
      args: [shortId],
    })
    .catch((error: unknown) => {
      const reverted = error instanceof BaseError && error.walk((one) => one instanceof ContractFunctionRevertedError);
      throw reverted ? new CommandError(`chain ${chainId} has no product ${shortId}`) : error;
    });
  const token = { address: asset, abi: erc20Abi } as const;
  const [symbol, decimals] = await Promise.all([
    client.readContract({ ...token, functionName: "symbol" }),
    client.readContract({ ...token, functionName: "decimals" }),
  ]);
  const isTerm = type === TIME_DEPOSIT;
  const desk = isTerm ? null : await client.readContract({ address, abi: demandVaultAbi, functionName: "desk" });
  if (desk?.queue === zeroAddress)
    throw new CommandError(`${shortId} has no queue yet, so it has no deposits; the owner sets it once by setQueue`);
  return {
    ...{ session, shortId, address, kind: isTerm ? "term" : "vault" },
    ...{ queue: desk?.queue ?? null, asset: { address: asset, symbol, decimals } },
  };
}

/** The calls whose answers `stateOf` reads. */
export function stateReads({ kind, address, queue, asset }: MoneyProduct): Read[] {
  const of =
    (abi: Abi, to: Address) =>
    (functionName: string, args: readonly unknown[] = []) => ({
      ...{ address: to, abi, functionName, args },
    });
  if (kind === "term") {
    const term = of(termDepositAbi, address);
    return [term("books"), term("buffer"), term("custodian"), term("reviewedLoss")];
  }
  const vault = of(demandVaultAbi, address);
  const names = ["totalAssets", "stream", "desk", "maxDeploy", "setAside", "lastReportAsOf", "maxReportAge"];
  return [
    ...names.map((name) => vault(name)),
    ...[vault("reviewedLoss"), vault("totalSupply"), vault("balanceOf", [queue])],
    ...[of(redemptionQueueAbi, queue as Address)("totals"), of(erc20Abi, asset.address)("balanceOf", [address])],
  ];
}

export function stateOf({ kind }: MoneyProduct, answers: readonly unknown[]): State {
  if (kind === "term") {
    const [books, buffer, custodian, review] = answers as [TermAccounts, bigint, Address, [bigint, bigint]];
    return { ...books, kind, buffer, custodian, reviewed: reviewedOf(review) };
  }
  type Desk = { deployed: bigint; custodian: Address; treasury: Address; buffer: bigint; evidenceUntil: number };
  const [
    totalAssets,
    stream,
    desk,
    deployable,
    setAside,
    reportedTo,
    maxReportAge,
    review,
    supply,
    queued,
    totals,
    here,
  ] = answers as [
    ...[bigint, [bigint, bigint], Desk, bigint, bigint, bigint, bigint, [bigint, bigint], bigint, bigint],
    ...[[bigint, bigint, bigint, bigint], bigint],
  ];
  const held = stream[0] + stream[1];
  const cash = held - desk.deployed;
  return {
    ...desk,
    ...{ kind, totalAssets, held, cash, deployable, setAside, reportedTo, maxReportAge, reviewed: reviewedOf(review) },
    buffer: vaultBuffer(held, desk.buffer),
    owed: previewMint(queued, { totalAssets: held, supply }),
    payable: totals[1] - totals[2],
    surplus: larger(here - cash - setAside, 0n),
  };
}

const reviewedOf = ([amount, until]: readonly [bigint, bigint]): ReviewedLoss => ({ amount, until });

/**
 * The loss under review at `time` (Unix seconds), or null. In a demand deposit a review ends by itself; a time deposit
 * waits until the loss is settled, also after `until`.
 */
export function lossUnderReview({ kind, reviewed }: State, time: bigint): ReviewedLoss | null {
  const isOpen = kind === "vault" ? reviewed.until > time : reviewed.until > 0n;
  return isOpen ? reviewed : null;
}

/** The state of a product at a block. */
export interface StateAt {
  state: State;
  blockNumber: bigint;
  /** Unix seconds of the block. */
  time: bigint;
}

/** Reads the state of a product at the newest block. */
export async function readState(product: MoneyProduct): Promise<StateAt> {
  const { client } = product.session;
  const { number: blockNumber, timestamp: time } = await client.getBlock();
  const reads = stateReads(product).map((read) => client.readContract({ ...read, blockNumber } as never));
  return { state: stateOf(product, await Promise.all(reads)), blockNumber, time };
}

/** Figures of a state by name, in whole units of the asset. */
export function figuresOf({ asset: { decimals } }: MoneyProduct, state: State): Record<string, string> {
  const figures = state.kind === "vault" ? vaultFigures(state) : termFigures(state);
  const texts = Object.entries(figures).map(([name, value]) => [name, formatUnits(value, decimals)]);
  const coverage = state.kind === "term" ? coverageOf(state) : null;
  return {
    ...Object.fromEntries(texts),
    ...(state.kind === "vault" && { reported_to: moment(state.reportedTo) }),
    ...(coverage !== null && { coverage: formatUnits(coverage, 18) }),
  };
}

function vaultFigures({ totalAssets, held, cash, deployed, deployable, buffer, owed, setAside, surplus }: VaultState) {
  const names = { total_assets: totalAssets, not_yet_streamed: held - totalAssets, cash, deployed, deployable, buffer };
  return { ...names, owed_to_queue: owed, set_aside: setAside, surplus };
}

function termFigures(state: TermState) {
  const { cash, deployed, liabilities, reserved } = state;
  const kept = { buffer: bufferOf(state), free_interest: freeInterest(state) };
  const may = { deployable: deployableOf(state), withdrawable_interest: withdrawableInterest(state) };
  const review = { loss_under_review: state.reviewed.amount };
  return { cash, deployed, liabilities, reserved_interest: reserved, ...kept, ...may, ...review };
}

/** Unix seconds as a moment in UTC. */
export const moment = (time: bigint) => `${new Date(Number(time) * 1_000).toISOString().slice(0, 19)}Z`;
