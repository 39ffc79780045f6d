import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import type { Deployment } from "@aqua/sdk/deployment";
import { previewDeposit, previewRedeem } from "@aqua/sdk/maths/shares";
import {
  type Abi,
  type AbiEvent,
  createPublicClient,
  custom,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  toFunctionSelector,
  zeroAddress,
} from "viem";
import { Random } from "../../../../devnet/src/random.ts";
import type { ChainClient } from "../../src/indexer/node.ts";

const formerTermDepositAbi = parseAbi(["event ExitedEarly(uint256 indexed id, address indexed owner, uint256 paid)"]);

/** A log as a node returns it. */
interface Log {
  address: Hex;
  topics: Hex[];
  data: Hex;
  blockNumber: Hex;
  blockHash: Hex;
  blockTimestamp: Hex;
  transactionHash: Hex;
  logIndex: Hex;
  removed: false;
}

export interface Call {
  method: string;
  params?: unknown;
}

/** An invented chain in memory: logs encoded by the contracts' ABIs, and a node's answers about their blocks. */
export interface History {
  deployment: Deployment;
  /** Number of logs. */
  size: number;
  /** The last block. */
  head: number;
  /** Returns the number of logs in the blocks `from`..`to`. */
  logsIn(from: number, to: number): number;
  /** Answers a JSON-RPC request of the indexer like a node. Throws for any other request. */
  answer(call: Call): unknown;
}

const CHAIN_ID = 31337;
const GENESIS = 1_750_000_000;
const BLOCK_SECONDS = 12;
const DOLLAR = 1_000_000n;
const VAULTS = 4;
const TERM_DEPOSITS = 2;
const DAY = 86_400;

const word = (kind: number, number: number): Hex => `0x${kind.toString(16).padStart(4, "0")}${pad(number, 60)}`;
const addressOf = (kind: number, number: number): Hex => `0x${kind.toString(16).padStart(4, "0")}${pad(number, 36)}`;
const pad = (number: number, digits: number) => number.toString(16).padStart(digits, "0");
const timeOf = (block: number) => GENESIS + block * BLOCK_SECONDS;
const blockHash = (block: number) => word(0xb10c, block);

const registries = {
  access_manager: addressOf(0xa0, 1),
  identity_registry: addressOf(0xa0, 2),
  product_registry: addressOf(0xa0, 3),
  telemetry_anchor: addressOf(0xa0, 4),
};

/**
 * Invents a chain on which `wallets` people use demand and time deposits until there are `size` logs or a few more, up
 * to ten transactions a block. The same arguments give the same chain. A product is listed before it is used; with
 * `lateListing` one is listed only in the last block, with all of its past to be read.
 */
export function makeHistory({
  size,
  wallets: people = Math.max(5, Math.floor(size / 20)),
  lateListing = false,
}: {
  size: number;
  wallets?: number;
  lateListing?: boolean;
}): History {
  const random = new Random("history");
  const logs: Log[] = [];
  let block = 1;
  let transactions = 0;
  let logsInBlock = 0;

  /** Totals that each contract returns, after each block that changed them. */
  const totals = new Map<Hex, { block: number; answer: Hex }[]>();

  function noteTotals(address: Hex, answer: Hex): void {
    const noted = totals.get(address) ?? [];
    totals.set(address, noted);
    if (noted.at(-1)?.answer !== answer) noted.push({ block, answer });
  }

  function noteAllTotals(): void {
    for (const { address, queue, supply, requested, processed, setAside } of vaults) {
      noteTotals(address, encodeWords([supply]));
      noteTotals(queue, encodeWords([requested, 0n, processed, setAside]));
    }
    for (const { address, cash, liabilities, reserved } of termDeposits) {
      noteTotals(address, encodeWords([cash, 0n, liabilities, reserved, 0n]));
    }
  }

  function nextBlock(): void {
    noteAllTotals();
    block += 1;
    logsInBlock = 0;
  }

  function emit(address: Hex, abi: Abi, eventName: string, args: Record<string, unknown>): void {
    const item = abi.find((entry) => entry.type === "event" && entry.name === eventName) as AbiEvent;
    const plain = item.inputs.filter(({ indexed }) => !indexed);
    const values = plain.map(({ name }) => args[name ?? ""]);
    logs.push({
      address,
      topics: encodeEventTopics({ abi: [item], args } as never) as Hex[],
      data: encodeAbiParameters(plain, values),
      blockNumber: numberToHex(block),
      blockHash: blockHash(block),
      blockTimestamp: numberToHex(timeOf(block)),
      transactionHash: word(0x7a, transactions),
      logIndex: numberToHex(logsInBlock),
      removed: false,
    });
    logsInBlock += 1;
  }

  const wallets = Array.from({ length: people }, (_, index) => addressOf(0x3a, index + 1));
  const vaults = Array.from({ length: VAULTS }, (_, index) => ({
    address: addressOf(0xda, index + 1),
    queue: addressOf(0x9e, index + 1),
    supply: 0n,
    totalAssets: 0n,
    /** Shares that each wallet holds outside the queue. */
    held: new Map<Hex, bigint>(),
    line: [] as { wallet: Hex; shares: bigint }[],
    batches: 0,
    requested: 0n,
    processed: 0n,
    setAside: 0n,
  }));
  const termDeposits = Array.from({ length: TERM_DEPOSITS }, (_, index) => ({
    address: addressOf(0x7e, index + 1),
    live: [] as { id: bigint; owner: Hex; principal: bigint; interest: bigint }[],
    opened: 0n,
    cash: 10n ** 13n,
    liabilities: 0n,
    reserved: 0n,
  }));
  let anchored = 0;

  function list(address: Hex, productType: number, number: number): void {
    emit(registries.product_registry, productRegistryAbi, "ProductListed", {
      product: address,
      asset: addressOf(0xa5, 1),
      shortId: `product-${productType}-${number}`,
      productType,
      metadataHash: word(0x3e, number),
    });
  }

  function create(): void {
    emit(registries.access_manager, accessManagerAbi, "RoleLabel", { roleId: 1n, label: 'a "label", with \\ and é' });
    for (const [index, vault] of vaults.entries()) {
      emit(vault.address, demandVaultAbi, "VaultCreated", {
        asset: addressOf(0xa5, 1),
        identityRegistry: zeroAddress,
        productRegistry: zeroAddress,
        vestingTime: 0n,
        maxRate: 10n ** 17n,
        maxReportAge: BigInt(30 * DAY),
        asOf: BigInt(timeOf(block)),
      });
      emit(vault.address, demandVaultAbi, "CapChanged", { cap: 10n ** 15n });
      emit(vault.address, demandVaultAbi, "QueueSet", { queue: vault.queue });
      if (!lateListing || index > 0) list(vault.address, 0, index);
    }
    for (const [index, { address, cash }] of termDeposits.entries()) {
      emit(address, termDepositAbi, "TermDepositCreated", {
        asset: addressOf(0xa5, 1),
        identityRegistry: zeroAddress,
        productRegistry: zeroAddress,
        custodian: addressOf(0xc0, 1),
        buffer: 10n ** 17n,
      });
      emit(address, termDepositAbi, "TermAdded", {
        termId: 0n,
        count: 3n,
        unit: 2n,
        rate: 5n * 10n ** 16n,
        breakRate: 10n ** 16n,
        penalty: 0n,
      });
      emit(address, termDepositAbi, "TermChanged", { termId: 0n, cap: 10n ** 15n, open: true });
      emit(address, termDepositAbi, "InterestFunded", { amount: cash });
      list(address, 1, index);
    }
    nextBlock();
    for (const [index, wallet] of wallets.entries()) {
      transactions += 1;
      emit(registries.identity_registry, identityRegistryAbi, "Bound", {
        wallet,
        subject: BigInt(index + 1),
        validUntil: 2n ** 64n - 1n,
        country: 276,
        tier: 1,
      });
      if (index % 20 === 19) nextBlock();
    }
  }

  type Vault = (typeof vaults)[number];

  function hold(vault: Vault, wallet: Hex, change: bigint): void {
    vault.held.set(wallet, (vault.held.get(wallet) ?? 0n) + change);
  }

  /** A part of a wallet's holding; null if it holds nothing. */
  function someShares(vault: Vault, wallet: Hex): bigint | null {
    const held = vault.held.get(wallet) ?? 0n;
    const shares = random.chance(200) ? held : (held * BigInt(random.between(1, 9))) / 10n;
    return shares > 0n ? shares : null;
  }

  function deposit(vault: Vault, wallet: Hex): void {
    const assets = BigInt(random.between(1, 50_000)) * DOLLAR + BigInt(random.between(0, 999_999));
    const shares = previewDeposit(assets, vault);
    vault.supply += shares;
    vault.totalAssets += assets;
    hold(vault, wallet, shares);
    emit(vault.address, demandVaultAbi, "Transfer", { from: zeroAddress, to: wallet, value: shares });
    emit(vault.address, demandVaultAbi, "Deposit", { sender: wallet, owner: wallet, assets, shares });
  }

  /** Burns shares of `owner` and returns their assets. */
  function burn(vault: Vault, owner: Hex, shares: bigint): bigint {
    const assets = previewRedeem(shares, vault);
    vault.supply -= shares;
    vault.totalAssets -= assets;
    emit(vault.address, demandVaultAbi, "Transfer", { from: owner, to: zeroAddress, value: shares });
    emit(vault.address, demandVaultAbi, "Withdraw", { sender: owner, receiver: owner, owner, assets, shares });
    return assets;
  }

  function request(vault: Vault, wallet: Hex, shares: bigint): void {
    hold(vault, wallet, -shares);
    vault.line.push({ wallet, shares });
    vault.requested += shares;
    emit(vault.address, demandVaultAbi, "Transfer", { from: wallet, to: vault.queue, value: shares });
    emit(vault.queue, redemptionQueueAbi, "RedeemRequest", {
      controller: wallet,
      owner: wallet,
      requestId: 0n,
      sender: wallet,
      shares,
    });
  }

  /** Redeems the first request of the queue. Its owner claims at once. */
  function processLine(vault: Vault): void {
    const place = vault.line.shift();
    if (!place) return;
    const { wallet, shares } = place;
    const assets = burn(vault, vault.queue, shares);
    vault.batches += 1;
    vault.processed += shares;
    vault.setAside += assets;
    emit(vault.queue, redemptionQueueAbi, "Processed", { batch: BigInt(vault.batches), shares, assets });
    emit(vault.queue, redemptionQueueAbi, "Withdraw", {
      sender: wallet,
      receiver: wallet,
      owner: wallet,
      assets,
      shares,
    });
  }

  function report(vault: Vault): void {
    const delta = vault.totalAssets / 10_000n;
    vault.totalAssets += delta;
    const at = BigInt(timeOf(block));
    emit(vault.address, demandVaultAbi, "Reported", {
      delta,
      asOf: at,
      evidenceRoot: word(0xe1, block),
      settled: vault.totalAssets,
      streaming: 0n,
      streamStart: at,
      streamEnd: at,
    });
  }

  function useTermDeposit(wallet: Hex): void {
    const product = random.pick(termDeposits);
    const { address, live } = product;
    if (live.length > 0 && random.chance(400)) {
      const [receipt] = live.splice(random.between(0, live.length - 1), 1);
      if (!receipt) return;
      const { id, owner, principal, interest } = receipt;
      const isEarly = random.chance(300);
      product.cash -= isEarly ? principal : principal + interest;
      product.liabilities -= principal + interest;
      product.reserved -= interest;
      emit(address, termDepositAbi, "Transfer", { from: owner, to: zeroAddress, tokenId: id });
      // Half of the exits are those of a contract that an earlier release deployed.
      if (isEarly && id % 2n === 0n) emit(address, formerTermDepositAbi, "ExitedEarly", { id, owner, paid: principal });
      else if (isEarly) emit(address, termDepositAbi, "ExitedEarly", { id, owner, principal, paid: principal });
      else emit(address, termDepositAbi, "Closed", { id, owner, paid: principal + interest });
      return;
    }
    product.opened += 1n;
    const id = product.opened;
    const principal = BigInt(random.between(100, 50_000)) * DOLLAR;
    const interest = principal / 80n;
    const openedAt = BigInt(timeOf(block));
    live.push({ id, owner: wallet, principal, interest });
    product.cash += principal;
    product.liabilities += principal + interest;
    product.reserved += interest;
    emit(address, termDepositAbi, "Transfer", { from: zeroAddress, to: wallet, tokenId: id });
    emit(address, termDepositAbi, "Opened", {
      id,
      owner: wallet,
      termId: 0n,
      principal,
      interest,
      openedAt,
      maturity: openedAt + BigInt(90 * DAY),
    });
  }

  function anchor(): void {
    anchored += 1;
    emit(registries.telemetry_anchor, telemetryAnchorAbi, "Anchored", {
      stream: word(0x57, 1),
      batch: BigInt(anchored),
      root: word(0x40, anchored),
      from: 1n,
      to: 2n,
      count: 24,
      dataHash: word(0xdd, anchored),
      head: word(0x4e, anchored),
    });
  }

  function act() {
    const vault = random.pick(vaults);
    const wallet = random.pick(wallets);
    const roll = random.between(0, 99);
    if (roll < 15) return useTermDeposit(wallet);
    if (roll < 17) return anchor();
    if (roll < 20) return report(vault);
    if (roll < 26) return processLine(vault);
    const shares = roll < 60 ? someShares(vault, wallet) : null;
    if (shares === null) return deposit(vault, wallet);
    if (roll < 36) return request(vault, wallet, shares);
    hold(vault, wallet, -shares);
    if (roll < 48) return burn(vault, wallet, shares);
    const to = random.pick(wallets);
    hold(vault, to, shares);
    emit(vault.address, demandVaultAbi, "Transfer", { from: wallet, to, value: shares });
  }

  create();
  while (logs.length < size) {
    nextBlock();
    for (let count = random.between(0, 10); count > 0; count -= 1) {
      transactions += 1;
      act();
    }
  }
  if (lateListing) {
    nextBlock();
    list(addressOf(0xda, 1), 0, 0);
  }

  noteAllTotals();

  const deployment: Deployment = { chain_id: CHAIN_ID, start_block: 1, ...registries };
  return {
    deployment,
    size: logs.length,
    head: block,
    logsIn: (from, to) => firstOf(logs, to + 1) - firstOf(logs, from),
    answer: (call) => answerOf({ logs, totals, head: block }, call),
  };
}

const symbols: Record<string, unknown> = { name: "Token", symbol: "TOK", decimals: 6 };
const functions = new Map(
  Object.keys(symbols).map((name) => [
    toFunctionSelector(`function ${name}()`),
    name as "name" | "symbol" | "decimals",
  ]),
);

/** Encodes the result of a function that returns only numbers, in the order of the ABI. */
function encodeWords(words: readonly bigint[]): Hex {
  return encodeAbiParameters(
    words.map(() => ({ type: "uint256" })),
    words,
  );
}

type Totals = ReadonlyMap<Hex, readonly { block: number; answer: Hex }[]>;

function answerOf(
  { logs, totals, head }: { logs: readonly Log[]; totals: Totals; head: number },
  { method, params }: Call,
): unknown {
  const [first] = (params ?? []) as [unknown];
  switch (method) {
    case "eth_chainId":
      return numberToHex(CHAIN_ID);
    case "eth_getBlockByNumber": {
      const number = first === "latest" ? head : Number(first);
      return number > head ? null : blockOf(number);
    }
    case "eth_getLogs": {
      const { address, ...range } = first as { address: Hex[]; fromBlock?: Hex; toBlock?: Hex; blockHash?: Hex };
      const only = range.blockHash ? Number.parseInt(range.blockHash.slice(6), 16) : null;
      const from = only ?? Number(range.fromBlock);
      const to = only ?? Number(range.toBlock);
      const asked = new Set(address);
      return logs.slice(firstOf(logs, from), firstOf(logs, to + 1)).filter((log) => asked.has(log.address));
    }
    case "eth_call": {
      const { to, data } = first as { to: Hex; data: Hex };
      const functionName = functions.get(data.slice(0, 10) as Hex);
      if (!functionName) {
        const at = Number((params as unknown[])[1]);
        return totals.get(to.toLowerCase() as Hex)?.findLast(({ block }) => block <= at)?.answer ?? "0x";
      }
      return encodeFunctionResult({ abi: erc20Abi, functionName, result: symbols[functionName] as never });
    }
    default:
      throw new Error(`no answer to ${method}`);
  }
}

function blockOf(number: number) {
  return {
    number: numberToHex(number),
    hash: blockHash(number),
    parentHash: blockHash(number - 1),
    timestamp: numberToHex(timeOf(number)),
    logsBloom: null,
  };
}

/** Index of the first log in block `from` or later. */
function firstOf(logs: readonly Log[], from: number): number {
  let low = 0;
  let high = logs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Number(logs[middle]?.blockNumber) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A client of a chain that another process serves. */
export function clientAt(url: string): ChainClient {
  return createPublicClient({ transport: http(url, { retryCount: 0 }), cacheTime: 0 });
}

/** A client of this chain. Each request passes through `tamper` if there is one. Answers are copies, as over a network. */
export function clientOf(
  history: History,
  tamper: (call: Call, answer: () => unknown) => unknown = (_, answer) => answer(),
): ChainClient {
  const request = async (call: Call) => tamper(call, () => structuredClone(history.answer(call)));
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 });
}
