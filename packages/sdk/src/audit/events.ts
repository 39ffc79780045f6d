/**
 * The events of a site's contracts, read from a node and decoded from their ABIs alone. Nothing here knows how the
 * server reads them.
 */
import {
  type Abi,
  type AbiEvent,
  type Address,
  type DecodeEventLogReturnType,
  decodeEventLog,
  type Hex,
  type Log,
  parseAbi,
  toEventSelector,
} from "viem";
import { accessManagerAbi } from "../abi/AccessManager.ts";
import { demandVaultAbi } from "../abi/DemandVault.ts";
import { identityRegistryAbi } from "../abi/IdentityRegistry.ts";
import { productRegistryAbi } from "../abi/ProductRegistry.ts";
import { redemptionQueueAbi } from "../abi/RedemptionQueue.ts";
import { telemetryAnchorAbi } from "../abi/TelemetryAnchor.ts";
import { termDepositAbi } from "../abi/TermDeposit.ts";
import type { ChainClient } from "../chain/client.ts";
import type { Deployment } from "../deployment.ts";

const abis = {
  access_manager: accessManagerAbi,
  product_registry: productRegistryAbi,
  identity_registry: identityRegistryAbi,
  telemetry_anchor: telemetryAnchorAbi,
  vault: demandVaultAbi,
  queue: redemptionQueueAbi,
  term: termDepositAbi,
} as const;
export type ContractKind = keyof typeof abis;

/** Events with another layout, of contracts that earlier releases deployed. */
const former = {
  vault: parseAbi([
    "event LossTakenBack(uint256 assets, int256 settled, uint256 streaming, uint64 streamStart, uint64 streamEnd)",
  ]),
  term: parseAbi(["event ExitedEarly(uint256 indexed id, address indexed owner, uint256 paid)"]),
} as const;

interface Location {
  address: Hex;
  block: number;
  logIndex: number;
  /** Of the transaction. */
  hash: Hex;
  /** Of the block, Unix seconds. */
  time: number;
}

export type EventOf<Kind extends ContractKind> = Location & { kind: Kind } & DecodeEventLogReturnType<
    (typeof abis)[Kind]
  >;
export type FormerEvent = Location &
  (
    | ({ kind: "former_vault" } & DecodeEventLogReturnType<(typeof former)["vault"]>)
    | ({ kind: "former_term" } & DecodeEventLogReturnType<(typeof former)["term"]>)
  );
export type AuditEvent = { [Kind in ContractKind]: EventOf<Kind> }[ContractKind] | FormerEvent;

/** The contracts whose events are read, by lower-case address. */
export type Contracts = Map<Hex, ContractKind>;

/** Events that change no figure, so that an event and the one that explains it stand side by side. */
const irrelevant = new Set([
  ...["Approval", "ApprovalForAll", "AuthorityUpdated", "EIP712DomainChanged"],
  ...["OperatorSet", "MetadataUpdate", "BatchMetadataUpdate", "QueueCreated"],
]);
const selectorsOf = (abi: Abi) =>
  new Set(
    abi
      .filter((item): item is AbiEvent => item.type === "event" && !irrelevant.has(item.name))
      .map((item) => toEventSelector(item)),
  );
const known = Object.fromEntries(Object.entries(abis).map(([kind, abi]) => [kind, selectorsOf(abi as Abi)]));
const formerKnown = { vault: selectorsOf(former.vault), term: selectorsOf(former.term) };

/** The registries of a deployment. Products and queues are found through their events. */
export function registriesOf(deployment: Deployment): Contracts {
  const { access_manager, product_registry, identity_registry, telemetry_anchor } = deployment;
  const found = { access_manager, product_registry, identity_registry, telemetry_anchor };
  return new Map(
    Object.entries(found).flatMap(([kind, address]) =>
      address === undefined ? [] : [[lower(address), kind as ContractKind] as const],
    ),
  );
}

/** Null for an event that none of the known ABIs declares. Throws if the log does not fit the event's layout. */
function decode(kind: ContractKind, log: Log, time: number): AuditEvent | null {
  const { topics, data } = log;
  const selector = topics[0] ?? "0x";
  const location = {
    address: lower(log.address),
    block: Number(log.blockNumber),
    logIndex: Number(log.logIndex),
    hash: log.transactionHash as Hex,
    time,
  };
  if (known[kind]?.has(selector)) {
    const decoded = decodeEventLog({ abi: abis[kind] as Abi, topics, data });
    return { ...location, kind, ...decoded } as unknown as AuditEvent;
  }
  if ((kind === "vault" || kind === "term") && formerKnown[kind].has(selector)) {
    const decoded = decodeEventLog({ abi: former[kind] as Abi, topics, data });
    return { ...location, kind: `former_${kind}`, ...decoded } as unknown as AuditEvent;
  }
  return null;
}

export interface EventReader {
  /**
   * Looks for the products that are listed up to block `to`, so that the next read includes their events although it may
   * end before they are listed.
   */
  discover(to: number): Promise<void>;
  /**
   * The events of blocks `from` to `to` in chain order. A contract that became known since the last accepted read comes
   * with all of its events from the first block on. A read that is not accepted can be repeated.
   */
  read(from: number, to: number): Promise<{ events: AuditEvent[]; accept(): void }>;
}

const SPAN = 5_000;

/** Reads a site's events. It learns the addresses of products and queues as it reads on, so ranges must be in order. */
export function createEventReader(client: ChainClient, deployment: Deployment): EventReader {
  const contracts = registriesOf(deployment);
  const registry = lower(deployment.product_registry);
  /** The first block that was not searched for products yet. */
  let unsearched = deployment.start_block;
  /** Listings that were found, of products whose events were not read yet. */
  const discovered: AuditEvent[] = [];
  const times = new Map<bigint, number>();

  async function logs(addresses: readonly Address[], from: number, to: number): Promise<Log[]> {
    if (from > to) return [];
    const middle = Math.floor((from + to) / 2);
    const halves = async () => [...(await logs(addresses, from, middle)), ...(await logs(addresses, middle + 1, to))];
    if (to - from >= SPAN) return halves();
    try {
      return await client.getLogs({ address: [...addresses], fromBlock: BigInt(from), toBlock: BigInt(to) });
    } catch (error) {
      // A node refuses a range that holds too many logs. A single block it must answer.
      if (from === to) throw error;
      return halves();
    }
  }

  async function timeOf({ blockNumber, blockTimestamp }: Log): Promise<number> {
    if (blockTimestamp) return Number(blockTimestamp);
    if (blockNumber === null) throw new Error("The node answered a log that is in no block");
    const seen = times.get(blockNumber);
    if (seen !== undefined) return seen;
    const { timestamp } = await client.getBlock({ blockNumber });
    if (times.size > 10_000) times.clear();
    times.set(blockNumber, Number(timestamp));
    return Number(timestamp);
  }

  async function decoded(found: readonly Log[], known: ReadonlyMap<Hex, ContractKind>): Promise<AuditEvent[]> {
    const events: AuditEvent[] = [];
    for (const log of found) {
      const kind = known.get(lower(log.address));
      const event = kind && decode(kind, log, await timeOf(log));
      if (event) events.push(event);
    }
    return events;
  }

  return {
    async discover(to) {
      discovered.push(...(await decoded(await logs([registry], unsearched, to), contracts)));
      unsearched = Math.max(unsearched, to + 1);
    },
    async read(from, to) {
      const known = new Map(contracts);
      const events = await decoded(await logs([...known.keys()], from, to), known);
      for (let fresh = introduced([...events, ...discovered], known); fresh.length > 0; ) {
        for (const [address, kind] of fresh) known.set(address, kind);
        const addresses = fresh.map(([address]) => address);
        const theirs = await decoded(await logs(addresses, deployment.start_block, to), known);
        events.push(...theirs);
        fresh = introduced(theirs, known);
      }
      const accept = () => {
        discovered.length = 0;
        for (const [address, kind] of known) contracts.set(address, kind);
      };
      return { events: events.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex), accept };
    },
  };
}

/** The products and queues that these events name and that are not read yet. */
function introduced(events: readonly AuditEvent[], contracts: Contracts): [Hex, ContractKind][] {
  const found = new Map<Hex, ContractKind>();
  for (const event of events) {
    if (event.kind === "product_registry" && event.eventName === "ProductListed")
      found.set(lower(event.args.product), event.args.productType === 1 ? "term" : "vault");
    if (event.kind === "vault" && event.eventName === "QueueSet") found.set(lower(event.args.queue), "queue");
  }
  return [...found].filter(([address]) => !contracts.has(address));
}

export function lower(hex: string): Hex {
  return hex.toLowerCase() as Hex;
}
