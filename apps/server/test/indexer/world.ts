import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { ServerEventName } from "@aqua/sdk/api/events";
import {
  type Address,
  createPublicClient,
  custom,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  http,
  maxUint256,
} from "viem";
import { vi } from "vitest";
import { depositor, roleAccount } from "../../../../devnet/src/accounts.ts";
import { deployData } from "../../../../devnet/src/artefacts.ts";
import { type Chain, startChain } from "../../../../devnet/src/chain.ts";
import { type DeployedWorld, deployContracts } from "../../../../devnet/src/deploy.ts";
import { vaultLimits } from "../../../../devnet/src/products.ts";
import { bindCall } from "../../../../devnet/src/seed/identity.ts";
import { type Call, Sender } from "../../../../devnet/src/sender.ts";
import { freePort } from "../../../../devnet/test/support/port.ts";
import type { Database } from "../../src/db/database.ts";
import { createIndexer, type Indexer, type IndexerSettings } from "../../src/indexer/indexer.ts";
import type { ChainClient } from "../../src/indexer/node.ts";
import { chainCursor } from "../../src/indexer/schema.ts";
import { forgetChain } from "../../src/indexer/store.ts";

const GENESIS = 1_750_000_000;
const BLOCK_SECONDS = 12;
export const WALLETS = 5;
export const CHAIN_ID = 31337;

/** A separate chain with the real contracts. Blocks are mined only on request, at times that the test chooses. */
export interface World {
  chain: Chain;
  client: ChainClient;
  deployed: DeployedWorld;
  wallets: Address[];
  vaults: Address[];
  shortIds: string[];
  /** Mines one block with these calls, `seconds` after the last one. Rejects when a call fails. */
  mine(calls?: readonly Call[], seconds?: number): Promise<void>;
  /** Does the same for calls that may revert. Returns their hashes. */
  mineLoosely(calls: readonly Call[]): Promise<Hex[]>;
  /** Sends without mining. Returns the hashes. */
  send(calls: readonly Call[]): Promise<Hex[]>;
  /** Reads the nonces from the chain again, after a sent transaction was dropped. */
  forgetNonces(): Promise<void>;
  deposit(wallet: number, vault: number, assets: bigint): Call;
  redeem(wallet: number, vault: number, shares: bigint): Call;
  withdraw(wallet: number, vault: number, assets: bigint): Call;
  transfer(from: number, to: number, vault: number, shares: bigint): Call;
  /** A report as of the block in which it is mined, `seconds` after the last one. */
  report(vault: number, gain: bigint, seconds?: number): Promise<Call>;
  /** The creation of another, unlisted vault, and its future address. Its asset is by default the test dollar. */
  createVault(asset?: { address: Address; cap: bigint }): Promise<{ call: Call; address: Address }>;
  list(shortId: string, vault: Address, asset?: Address): Call;
  as(role: Parameters<typeof roleAccount>[0], to: Address, data: Hex): Call;
  shares(wallet: number, vault: number): Promise<bigint>;
  head(): Promise<{ number: number; time: number; hash: Hex }>;
  snapshot(): Promise<Hex>;
  /** Reverts to a snapshot, including the height of the chain. */
  revert(snapshot: Hex): Promise<void>;
  stop(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const chain = await startChain({ port: await freePort(), blockTime: "manual", genesisTime: GENESIS });
  const { rpc } = chain;
  let sender = await Sender.on(rpc);
  const deployed = await deployContracts(sender, GENESIS + BLOCK_SECONDS);
  const { addresses, vaults: byShortId } = deployed;
  const vaults = [...byShortId.values()];
  const accounts = Array.from({ length: WALLETS }, (_, index) => depositor(index));
  const client = createPublicClient({ transport: http(chain.url, { retryCount: 0 }), cacheTime: 0 });

  const head = async () => {
    const block = await client.getBlock();
    return { number: Number(block.number), time: Number(block.timestamp), hash: block.hash };
  };
  const mine = async (calls: readonly Call[] = [], seconds = BLOCK_SECONDS) => {
    await sender.block(calls, (await head()).time + seconds);
    await sender.settle();
  };
  const call = (wallet: number, to: Address, what: string, data: Hex): Call => {
    const from = accounts[wallet];
    if (!from) throw new RangeError(`No wallet ${wallet}`);
    return { from, to, data, what };
  };
  const vaultAt = (index: number): Address => {
    const vault = vaults[index];
    if (!vault) throw new RangeError(`No vault ${index}`);
    return vault;
  };
  const addressOf = (index: number): Address => call(index, addresses.testDollar, "", "0x").from.address;
  const encode = encodeFunctionData;
  const as: World["as"] = (role, to, data) => ({ from: roleAccount(role), to, data, what: `${role} call` });

  const { time } = await head();
  const reporter = roleAccount("reporter");
  const fund = (to: Address): Call =>
    as("faucet", addresses.testDollar, encode({ abi: testDollarAbi, functionName: "mint", args: [to, 10n ** 15n] }));
  const allow = (from: Call["from"], vault: Address): Call => ({
    from,
    to: addresses.testDollar,
    what: "approve",
    data: encode({ abi: testDollarAbi, functionName: "approve", args: [vault, maxUint256] }),
  });
  await rpc.batch(
    accounts.map(({ address }) => ({ method: "anvil_setBalance", params: [address, "0x56bc75e2d63100000"] })),
  );
  await mine([
    ...(await Promise.all(accounts.map((account) => bindCall(addresses.identityRegistry, account, { time })))),
    ...[...accounts, reporter].map(({ address }) => fund(address)),
    ...[...accounts, reporter].flatMap((account) => vaults.map((vault) => allow(account, vault))),
  ]);

  return {
    chain,
    client,
    deployed,
    vaults,
    shortIds: [...byShortId.keys()],
    head,
    mine,
    as,
    wallets: accounts.map(({ address }) => address),
    async mineLoosely(calls) {
      const hashes = await sender.submit(calls);
      await rpc.call("evm_mine", [{ timestamp: (await head()).time + BLOCK_SECONDS }]);
      sender = await Sender.on(rpc);
      return hashes;
    },
    send: (calls) => sender.submit(calls),
    async forgetNonces() {
      sender = await Sender.on(rpc);
    },
    deposit: (wallet, vault, assets) =>
      call(
        ...([wallet, vaultAt(vault), "deposit"] as const),
        encode({ abi: demandVaultAbi, functionName: "deposit", args: [assets, addressOf(wallet)] }),
      ),
    redeem: (wallet, vault, shares) =>
      call(
        ...([wallet, vaultAt(vault), "redeem"] as const),
        encode({ abi: demandVaultAbi, functionName: "redeem", args: [shares, addressOf(wallet), addressOf(wallet)] }),
      ),
    withdraw: (wallet, vault, assets) =>
      call(
        ...([wallet, vaultAt(vault), "withdraw"] as const),
        encode({ abi: demandVaultAbi, functionName: "withdraw", args: [assets, addressOf(wallet), addressOf(wallet)] }),
      ),
    transfer: (from, to, vault, shares) =>
      call(
        ...([from, vaultAt(vault), "transfer"] as const),
        encode({ abi: demandVaultAbi, functionName: "transfer", args: [addressOf(to), shares] }),
      ),
    async report(vault, gain, seconds = BLOCK_SECONDS) {
      const asOf = BigInt((await head()).time + seconds);
      const evidence = `0x${"ab".repeat(32)}` as const;
      const data = encode({ abi: demandVaultAbi, functionName: "report", args: [gain, asOf, evidence] });
      return as("reporter", vaultAt(vault), data);
    },
    async createVault(asset = { address: addresses.testDollar, cap: 10n ** 12n }) {
      const from = roleAccount("deployer");
      const { identityRegistry, productRegistry, accessManager, receiptRenderer: renderer } = addresses;
      const parameters = { cap: asset.cap, minDeposit: 1n, ...vaultLimits, renderer };
      const args = [
        asset.address,
        "Late",
        "aqLATE",
        identityRegistry,
        productRegistry,
        accessManager,
        parameters,
      ] as const;
      const data = await deployData("DemandVault", demandVaultAbi, args);
      const nonce = BigInt(await client.getTransactionCount({ address: from.address }));
      const address = getContractAddress({ from: from.address, nonce });
      return { call: { from, to: null, data, what: "create a vault", gas: 5_000_000n }, address };
    },
    list: (shortId, vault, asset = addresses.testDollar) =>
      as(
        ...(["owner", addresses.productRegistry] as const),
        encode({
          abi: productRegistryAbi,
          functionName: "list",
          args: [shortId, vault, 0, asset, `0x${"cd".repeat(32)}`],
        }),
      ),
    shares: (wallet, vault) =>
      client.readContract({
        address: vaultAt(vault),
        abi: demandVaultAbi,
        functionName: "balanceOf",
        args: [addressOf(wallet)],
      }),
    snapshot: () => rpc.call<Hex>("evm_snapshot"),
    async revert(snapshot) {
      // Transactions sent but not mined belong to the abandoned branch.
      await rpc.call("anvil_dropAllTransactions");
      await rpc.call("evm_revert", [snapshot]);
      sender = await Sender.on(rpc);
    },
    stop: () => chain.stop(),
  };
}

type Write = (fields: object, message: string) => void;
export const silent: Record<"info" | "warn" | "error", Write> = { info() {}, warn() {}, error() {} };

export interface RunningIndexer extends Indexer {
  db: Database;
  published: { name: ServerEventName; data: unknown }[];
}

/** An indexer of this world with short intervals. It is not started. */
export function indexerOf(
  world: World,
  db: Database,
  options: { client?: ChainClient; headsUrl?: string; log?: typeof silent; settings?: Partial<IndexerSettings> } = {},
): RunningIndexer {
  const published: RunningIndexer["published"] = [];
  const indexer = createIndexer({
    db,
    client: options.client ?? world.client,
    chainId: CHAIN_ID,
    deployment: world.deployed.deployment,
    events: { publish: (name, data) => void published.push({ name, data }) },
    log: options.log ?? silent,
    ...(options.headsUrl === undefined ? {} : { headsUrl: options.headsUrl }),
    settings: { pollMs: 25, backoffMs: 5, leaseMs: 400, ...options.settings },
  });
  return { ...indexer, db, published };
}

/** Resolves when the tables are at the chain's head block. */
export async function caughtUp(world: World, indexer: RunningIndexer): Promise<void> {
  await vi.waitFor(
    async () => {
      const head = await world.head();
      const { state } = indexer.status();
      const [cursor] = await indexer.db.orm.select().from(chainCursor);
      if (state !== "live" || cursor?.hash !== head.hash || indexer.status().cursor?.block !== head.number) {
        throw new Error(`indexer ${state} at ${cursor?.block} of ${head.number}`);
      }
    },
    { interval: 10 },
  );
}

/** Indexes the whole chain from the beginning with a new indexer, and stops it. */
export async function reindex(world: World, db: Database, settings?: Partial<IndexerSettings>): Promise<void> {
  await forgetChain(db, CHAIN_ID);
  const indexer = indexerOf(world, db, { settings: settings ?? {} });
  await indexer.start();
  await caughtUp(world, indexer);
  await indexer.stop();
}

type Request = (args: { method: string; params?: unknown }) => Promise<unknown>;

/** A client whose every request passes through `tamper`, between the indexer and the real node. */
export function tamperingClient(
  world: World,
  tamper: (args: { method: string; params?: unknown }, ask: Request) => Promise<unknown>,
): ChainClient {
  const ask: Request = (args) => world.client.request(args as never);
  return createPublicClient({
    transport: custom({ request: (args) => tamper(args, ask) }, { retryCount: 0 }),
    cacheTime: 0,
  });
}
