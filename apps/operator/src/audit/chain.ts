import { setTimeout as sleep } from "node:timers/promises";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { noRows } from "@aqua/sdk/audit/ledger";
import { createRecomputation } from "@aqua/sdk/audit/recompute";
import type { Rows } from "@aqua/sdk/audit/rows";
import { compareState, isRefused } from "@aqua/sdk/audit/state";
import { createViews, type View } from "@aqua/sdk/audit/view";
import type { Deployment } from "@aqua/sdk/deployment";
import {
  type Address,
  BaseError,
  ContractFunctionZeroDataError,
  createPublicClient,
  http,
  type PublicClient,
} from "viem";
import { CommandError } from "../api.ts";

/** Blocks that are read at a time. */
const STEP = 5_000;
/** A site may be a moment ahead of the node. */
const [TRIES, PAUSE_MS] = [20, 500];
/** Views of so many blocks are kept. */
const MAX_VIEWS = 8;

/** A chain as its node alone shows it. */
export interface AuditedChain {
  chainId: number;
  deployment: Deployment;
  head(): Promise<{ block: number; time: number }>;
  /**
   * The chain after its newest block.
   * @throws CommandError if the contracts say something else than the events that the node gave
   */
  newest(): Promise<View>;
  /** The chain after a block. Null if the node does not have the block, even after a while. */
  viewAt(block: number): Promise<View | null>;
}

export type Say = (chainId: number, block: number) => void;

export function createAuditedChain(client: PublicClient, deployment: Deployment, say: Say = () => {}): AuditedChain {
  const chainId = deployment.chain_id;
  const recomputation = createRecomputation({ client, chainId, deployment });
  const rows = noRows();
  let show = createViews(rows, deployment);
  const views = new Map<number, View>();

  async function readUpTo(block: number): Promise<void> {
    if (block < recomputation.next()) return;
    await recomputation.discover(block);
    while (recomputation.next() <= block) {
      const end = Math.min(block, recomputation.next() + STEP - 1);
      add(rows, await recomputation.advance(end).catch(refuse));
      say(chainId, end);
    }
    show = createViews(rows, deployment);
  }

  function refuse(error: unknown): never {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(`the node of chain ${chainId} leaves out events: ${error.message}; take another --rpc`);
  }

  async function timeOf(block: number): Promise<number | null> {
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      if ((await head(client)).block >= block) {
        return Number((await client.getBlock({ blockNumber: BigInt(block) })).timestamp);
      }
      await sleep(PAUSE_MS);
    }
    return null;
  }

  async function viewAt(block: number): Promise<View | null> {
    const known = views.get(block);
    if (known) return known;
    const time = await timeOf(block);
    if (time === null) return null;
    await readUpTo(block);
    const view = show(block, time);
    views.set(block, view);
    for (const oldest of views.keys()) if (views.size > MAX_VIEWS) views.delete(oldest);
    return view;
  }

  return {
    chainId,
    deployment,
    head: () => head(client),
    viewAt,
    async newest() {
      const { block } = await head(client);
      const view = await viewAt(block);
      if (view === null) throw new CommandError(`the node of chain ${chainId} lost its newest block`);
      const [difference] = (await compareState(client, recomputation.ledger, block)) ?? [];
      if (difference === undefined) return view;
      const { contract, figure, fromEvents, fromContract } = difference;
      throw new CommandError(
        `the node of chain ${chainId} leaves out events: ${figure} of ${contract} is ${fromContract}, by its events ${fromEvents}; take another --rpc, or begin at an earlier block`,
      );
    },
  };
}

async function head(client: PublicClient): Promise<{ block: number; time: number }> {
  const { number, timestamp } = await client.getBlock();
  return { block: Number(number), time: Number(timestamp) };
}

/** Appends rows. Those of a product that was listed late may be of earlier blocks. */
function add(all: Rows, more: Rows): void {
  for (const table of Object.keys(all) as (keyof Rows)[]) {
    const to = all[table] as { block: number; logIndex: number }[];
    const [last, first] = [to.at(-1), more[table][0]];
    for (const row of more[table]) to.push(row);
    if (last && first && first.block < last.block) to.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
  }
}

/** Connects to nodes and returns them by the chain that each says it follows. */
export async function connect(urls: readonly string[]): Promise<Map<number, PublicClient>> {
  const clients = new Map<number, PublicClient>();
  for (const url of urls) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new CommandError("--rpc must be the URL of a node of the chain");
    }
    const client = createPublicClient({ transport: http(url, { batch: true, timeout: 30_000 }), cacheTime: 0 });
    const chainId = await client.getChainId().catch(() => {
      throw new CommandError(`the node at ${url} does not answer`);
    });
    clients.set(chainId, client);
  }
  return clients;
}

/**
 * Finds a chain's contracts from its product registry on. The AccessManager is the one that the registry obeys, and the
 * anchor contract the named one if it obeys the same manager.
 */
export async function findDeployment(
  client: PublicClient,
  named: { registry: Address; identityRegistry: Address; anchor: Address | null; from: number | undefined },
): Promise<Deployment> {
  const { registry, anchor } = named;
  const manager = await authorityOf(client, registry);
  if (manager === null) throw new CommandError(`there is no product registry at ${registry} on the node's chain`);
  const isAnchor = anchor !== null && (await authorityOf(client, anchor)) === manager;
  return {
    chain_id: await client.getChainId(),
    start_block: named.from ?? (await firstBlockOf(client, manager)),
    access_manager: manager,
    product_registry: registry,
    identity_registry: named.identityRegistry,
    ...(isAnchor ? { telemetry_anchor: anchor } : {}),
  };
}

/** The AccessManager that a contract obeys. Null if there is no contract at the address, or one without a manager. */
async function authorityOf(client: PublicClient, address: Address): Promise<Address | null> {
  try {
    return await client.readContract({ address, abi: productRegistryAbi, functionName: "authority" });
  } catch (error) {
    if (isRefused(error) || isEmpty(error)) return null;
    throw error;
  }
}

const isEmpty = (error: unknown) =>
  error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionZeroDataError) !== null;

/** The first block that has the contract's code. The first of the chain if the node does not keep old states. */
async function firstBlockOf(client: PublicClient, address: Address): Promise<number> {
  let [low, high] = [0, Number(await client.getBlockNumber())];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const code = await client.getCode({ address, blockNumber: BigInt(middle) }).catch((error: unknown) => {
      if (isRefused(error)) return null;
      throw error;
    });
    if (code === null) return 0;
    if (code === undefined) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The identity registry that a product asks. */
export function identityRegistryOf(client: PublicClient, product: Address): Promise<Address> {
  return client.readContract({ address: product, abi: demandVaultAbi, functionName: "identityRegistry" });
}
