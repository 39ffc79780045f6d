import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { type Abi, type AbiEvent, decodeEventLog, type Hex, toEventSelector } from "viem";
import type { ChainLog } from "./node.ts";

interface Place {
  address: Hex;
  block: number;
  logIndex: number;
  hash: Hex;
  /** Unix seconds. */
  time: number;
}

type Body =
  | { name: "ProductListed"; product: Hex; asset: Hex; shortId: string; productType: number; metadataHash: Hex }
  | { name: "ProductStatusChanged"; product: Hex; status: number }
  | { name: "ProductMetadataChanged"; product: Hex; metadataHash: Hex }
  | { name: "Bound"; wallet: Hex; subject: Hex; validUntil: bigint; country: number; tier: number }
  | { name: "Renewed"; wallet: Hex; validUntil: bigint }
  | { name: "Revoked"; wallet: Hex }
  | { name: "FrozenSet"; wallet: Hex; frozen: boolean }
  | { name: "Retired"; wallet: Hex; successor: Hex; subject: Hex; recovered: boolean }
  | { name: "RecoveryProposed"; wallet: Hex; successor: Hex; executableAt: number; expiresAt: number }
  | { name: "RecoveryVetoed"; wallet: Hex; successor: Hex }
  | { name: "RecoveryCancelled"; wallet: Hex; successor: Hex }
  | { name: "VaultCreated"; vestingTime: number; maxRate: bigint; maxReportAge: number; asOf: number }
  | { name: "Transfer"; from: Hex; to: Hex; shares: bigint }
  | { name: "Deposit"; owner: Hex; assets: bigint; shares: bigint }
  | { name: "Withdraw"; owner: Hex; assets: bigint; shares: bigint }
  | {
      name: "Reported";
      delta: bigint;
      asOf: number;
      evidenceRoot: Hex;
      settled: bigint;
      streaming: bigint;
      start: number;
      end: number;
    }
  | { name: "LossReviewed"; until: number }
  | { name: "LossConfirmed" }
  | {
      name: "LossTakenBack";
      assets: bigint;
      settled: bigint;
      streaming: bigint;
      start: number;
      end: number;
      lossUntil: number;
    }
  | { name: "LossRestored"; assets: bigint; settled: bigint; streaming: bigint; start: number; end: number }
  | { name: "EvidenceRenewed"; document: Hex; until: number }
  | { name: "Deployed"; assets: bigint }
  | { name: "Repaid"; assets: bigint }
  | { name: "SharesRecovered"; from: Hex; to: Hex; shares: bigint }
  | { name: "QueueSet"; queue: Hex }
  | { name: "FeeTaken"; assets: bigint }
  | { name: "Skimmed"; treasury: Hex; assets: bigint }
  | { name: "CustodianChanged"; custodian: Hex; buffer: bigint }
  | { name: "TreasuryChanged"; treasury: Hex; fee: bigint }
  | { name: "CapChanged"; cap: bigint }
  | { name: "MinDepositChanged"; minDeposit: bigint }
  | { name: "PausedUntil"; until: number }
  | { name: "RedeemRequest"; owner: Hex; shares: bigint }
  | { name: "Processed"; batch: number; shares: bigint; assets: bigint }
  | { name: "QueueClaim"; owner: Hex; assets: bigint; shares: bigint }
  | { name: "PayableFrom"; shares: bigint; since: number }
  | { name: "PlacesRecovered"; from: Hex; to: Hex }
  | { name: "TermDepositCreated"; custodian: Hex; buffer: bigint }
  | { name: "TermAdded"; termId: number; count: number; unit: number; rate: bigint; breakRate: bigint; penalty: bigint }
  | { name: "TermChanged"; termId: number; cap: bigint; open: boolean }
  | { name: "TermLimitsChanged"; cap: bigint; minDeposit: bigint }
  | { name: "TermPausedUntil"; until: number }
  | { name: "TermEvidenceRenewed"; document: Hex; until: number }
  | {
      name: "TermOpened";
      id: bigint;
      owner: Hex;
      termId: number;
      principal: bigint;
      interest: bigint;
      openedAt: number;
      maturity: number;
    }
  | { name: "TermClosed"; id: bigint; owner: Hex; paid: bigint }
  /** Null: all of the receipt's principal, as in contracts of which no part could leave. */
  | { name: "TermExitedEarly"; id: bigint; owner: Hex; principal: bigint | null; paid: bigint }
  | { name: "TermRolledOver"; id: bigint; newId: bigint; paid: bigint }
  | { name: "TermAutoRollSet"; id: bigint; rollTermId: number; roll: number }
  | { name: "TermInterestFunded"; amount: bigint }
  | { name: "TermInterestWithdrawn"; amount: bigint }
  | { name: "TermDeployed"; amount: bigint }
  | { name: "TermRepaid"; amount: bigint }
  | { name: "TermLossBooked"; amount: bigint; evidenceRoot: Hex }
  | { name: "TermLossReviewed"; amount: bigint; until: number; evidenceRoot: Hex }
  | { name: "TermLossConfirmed" }
  | { name: "TermLossTakenBack"; amount: bigint }
  | { name: "TermPaymentDemanded"; id: bigint }
  | { name: "TermWindingDown"; claims: bigint; cash: bigint }
  | { name: "TermClaimed"; id: bigint; owner: Hex; paid: bigint }
  | { name: "TermRecovered"; id: bigint; from: Hex; to: Hex }
  | { name: "TermTransfer"; from: Hex; to: Hex; id: bigint }
  | { name: "RoleGranted"; role: bigint; account: Hex; delay: number; since: number }
  | { name: "RoleRevoked"; role: bigint; account: Hex }
  | { name: "RoleLabel"; role: bigint; label: string }
  | {
      name: "OperationScheduled";
      operationId: Hex;
      nonce: number;
      schedule: number;
      caller: Hex;
      target: Hex;
      data: Hex;
    }
  | { name: "OperationExecuted"; operationId: Hex; nonce: number }
  | { name: "OperationCanceled"; operationId: Hex; nonce: number }
  | {
      name: "Anchored";
      stream: Hex;
      batch: number;
      root: Hex;
      from: number;
      to: number;
      count: number;
      dataHash: Hex;
      head: Hex;
    }
  | { name: "HeadKept"; stream: Hex; batch: number; head: Hex }
  | { name: "KeyRegistered"; device: Hex; kind: number; x: Hex; y: Hex; validFrom: number }
  | { name: "KeyDropped"; device: Hex; kind: number; x: Hex; y: Hex; validFrom: number }
  | { name: "KeyRevoked"; device: Hex; validFrom: number };

export type ChainEvent = Place & Body;
export type EventName = Body["name"];
type EventOf<Name extends EventName> = Omit<Extract<Body, { name: Name }>, "name">;

type Registry = "access_manager" | "product_registry" | "identity_registry" | "telemetry_anchor";
export type Emitter = Registry | "vault" | "queue" | "term";

interface Layout<Name extends EventName> {
  of: Emitter;
  /** Name of the event in the ABI, if another contract also has an event of this name. */
  event?: string;
  read: (log: ChainLog) => EventOf<Name>;
}

/**
 * Decodes events by their fixed layout. Every parameter of our events is a single word, except for two strings.
 * Reading words is about twenty times faster than a general ABI decoder. A test compares the results with viem's
 * decoder.
 */
const layouts: { [Name in EventName]: Layout<Name> } = {
  ProductListed: {
    of: "product_registry",
    read: ({ topics, data }) => {
      const [signature, ...indexed] = topics as [Hex, Hex, Hex];
      const { args } = decodeEventLog({
        abi: productRegistryAbi,
        eventName: "ProductListed",
        topics: [signature, ...indexed],
        data,
      });
      return {
        product: args.product.toLowerCase() as Hex,
        asset: args.asset.toLowerCase() as Hex,
        shortId: args.shortId,
        productType: args.productType,
        metadataHash: args.metadataHash,
      };
    },
  },
  ProductStatusChanged: {
    of: "product_registry",
    read: (log) => ({ product: addressTopic(log, 1), status: small(log, 0) }),
  },
  ProductMetadataChanged: {
    of: "product_registry",
    read: (log) => ({ product: addressTopic(log, 1), metadataHash: word(log, 0) }),
  },
  Bound: {
    of: "identity_registry",
    read: (log) => ({
      wallet: addressTopic(log, 1),
      subject: subjectTopic(log, 2),
      validUntil: uint(log, 0),
      country: small(log, 1),
      tier: small(log, 2),
    }),
  },
  Renewed: { of: "identity_registry", read: (log) => ({ wallet: addressTopic(log, 1), validUntil: uint(log, 0) }) },
  Revoked: { of: "identity_registry", read: (log) => ({ wallet: addressTopic(log, 1) }) },
  FrozenSet: {
    of: "identity_registry",
    read: (log) => ({ wallet: addressTopic(log, 1), frozen: uint(log, 0) !== 0n }),
  },
  Retired: {
    of: "identity_registry",
    read: (log) => ({
      wallet: addressTopic(log, 1),
      successor: addressTopic(log, 2),
      subject: subjectTopic(log, 3),
      recovered: uint(log, 0) !== 0n,
    }),
  },
  RecoveryProposed: {
    of: "identity_registry",
    read: (log) => ({ ...takeover(log), executableAt: small(log, 0), expiresAt: small(log, 1) }),
  },
  RecoveryVetoed: { of: "identity_registry", read: (log) => takeover(log) },
  RecoveryCancelled: { of: "identity_registry", read: (log) => takeover(log) },
  VaultCreated: {
    of: "vault",
    read: (log) => ({
      vestingTime: small(log, 2),
      maxRate: uint(log, 3),
      maxReportAge: small(log, 4),
      asOf: small(log, 5),
    }),
  },
  Transfer: {
    of: "vault",
    read: (log) => ({ from: addressTopic(log, 1), to: addressTopic(log, 2), shares: uint(log, 0) }),
  },
  Deposit: {
    of: "vault",
    read: (log) => ({ owner: addressTopic(log, 2), assets: uint(log, 0), shares: uint(log, 1) }),
  },
  Withdraw: {
    of: "vault",
    read: (log) => ({ owner: addressTopic(log, 3), assets: uint(log, 0), shares: uint(log, 1) }),
  },
  Reported: {
    of: "vault",
    read: (log) => ({
      delta: BigInt.asIntN(256, uint(log, 0)),
      asOf: small(log, 1),
      evidenceRoot: word(log, 2),
      settled: BigInt.asIntN(256, uint(log, 3)),
      streaming: uint(log, 4),
      start: small(log, 5),
      end: small(log, 6),
    }),
  },
  LossReviewed: { of: "vault", read: (log) => ({ until: small(log, 0) }) },
  LossConfirmed: { of: "vault", read: () => ({}) },
  LossTakenBack: { of: "vault", read: (log) => ({ ...returnedLoss(log), lossUntil: small(log, 5) }) },
  LossRestored: { of: "vault", read: returnedLoss },
  EvidenceRenewed: { of: "vault", read: renewal },
  Deployed: { of: "vault", read: (log) => ({ assets: uint(log, 0) }) },
  Repaid: { of: "vault", read: (log) => ({ assets: uint(log, 0) }) },
  SharesRecovered: {
    of: "vault",
    read: (log) => ({ from: addressTopic(log, 1), to: addressTopic(log, 2), shares: uint(log, 0) }),
  },
  QueueSet: { of: "vault", read: (log) => ({ queue: addressTopic(log, 1) }) },
  FeeTaken: { of: "vault", read: (log) => ({ assets: uint(log, 0) }) },
  Skimmed: { of: "vault", read: (log) => ({ treasury: addressTopic(log, 1), assets: uint(log, 0) }) },
  CustodianChanged: { of: "vault", read: (log) => ({ custodian: addressTopic(log, 1), buffer: uint(log, 0) }) },
  TreasuryChanged: { of: "vault", read: (log) => ({ treasury: addressTopic(log, 1), fee: uint(log, 0) }) },
  CapChanged: { of: "vault", read: (log) => ({ cap: uint(log, 0) }) },
  MinDepositChanged: { of: "vault", read: (log) => ({ minDeposit: uint(log, 0) }) },
  PausedUntil: { of: "vault", read: (log) => ({ until: small(log, 0) }) },
  RedeemRequest: { of: "queue", read: (log) => ({ owner: addressTopic(log, 2), shares: uint(log, 1) }) },
  Processed: {
    of: "queue",
    read: (log) => ({ batch: Number(uintTopic(log, 1)), shares: uint(log, 0), assets: uint(log, 1) }),
  },
  QueueClaim: {
    of: "queue",
    event: "Withdraw",
    read: (log) => ({ owner: addressTopic(log, 3), assets: uint(log, 0), shares: uint(log, 1) }),
  },
  PayableFrom: { of: "queue", read: (log) => ({ shares: uint(log, 0), since: small(log, 1) }) },
  PlacesRecovered: { of: "queue", read: (log) => ({ from: addressTopic(log, 1), to: addressTopic(log, 2) }) },
  TermDepositCreated: { of: "term", read: (log) => ({ custodian: addressWord(log, 2), buffer: uint(log, 3) }) },
  TermAdded: {
    of: "term",
    read: (log) => ({
      termId: Number(uintTopic(log, 1)),
      count: small(log, 0),
      unit: small(log, 1),
      rate: uint(log, 2),
      breakRate: uint(log, 3),
      penalty: uint(log, 4),
    }),
  },
  TermChanged: {
    of: "term",
    read: (log) => ({ termId: Number(uintTopic(log, 1)), cap: uint(log, 0), open: uint(log, 1) !== 0n }),
  },
  TermLimitsChanged: {
    of: "term",
    event: "LimitsChanged",
    read: (log) => ({ cap: uint(log, 0), minDeposit: uint(log, 1) }),
  },
  TermPausedUntil: { of: "term", event: "PausedUntil", read: (log) => ({ until: small(log, 0) }) },
  TermEvidenceRenewed: { of: "term", event: "EvidenceRenewed", read: renewal },
  TermOpened: {
    of: "term",
    event: "Opened",
    read: (log) => ({
      id: uintTopic(log, 1),
      owner: addressTopic(log, 2),
      termId: Number(uintTopic(log, 3)),
      principal: uint(log, 0),
      interest: uint(log, 1),
      openedAt: small(log, 2),
      maturity: small(log, 3),
    }),
  },
  TermClosed: { of: "term", event: "Closed", read: payment },
  TermExitedEarly: {
    of: "term",
    event: "ExitedEarly",
    read: (log) => ({
      id: uintTopic(log, 1),
      owner: addressTopic(log, 2),
      principal: uint(log, 0),
      paid: uint(log, 1),
    }),
  },
  TermRolledOver: {
    of: "term",
    event: "RolledOver",
    read: (log) => ({ id: uintTopic(log, 1), newId: uintTopic(log, 2), paid: uint(log, 0) }),
  },
  TermAutoRollSet: {
    of: "term",
    event: "AutoRollSet",
    read: (log) => ({ id: uintTopic(log, 1), rollTermId: small(log, 0), roll: small(log, 1) }),
  },
  TermInterestFunded: { of: "term", event: "InterestFunded", read: sum },
  TermInterestWithdrawn: { of: "term", event: "InterestWithdrawn", read: sum },
  TermDeployed: { of: "term", event: "Deployed", read: sum },
  TermRepaid: { of: "term", event: "Repaid", read: sum },
  TermLossReviewed: {
    of: "term",
    event: "LossReviewed",
    read: (log) => ({ amount: uint(log, 0), until: small(log, 1), evidenceRoot: word(log, 2) }),
  },
  TermLossConfirmed: { of: "term", event: "LossConfirmed", read: () => ({}) },
  TermLossTakenBack: { of: "term", event: "LossTakenBack", read: (log) => ({ amount: uint(log, 0) }) },
  TermLossBooked: {
    of: "term",
    event: "LossBooked",
    read: (log) => ({ amount: uint(log, 0), evidenceRoot: word(log, 1) }),
  },
  TermPaymentDemanded: { of: "term", event: "PaymentDemanded", read: (log) => ({ id: uintTopic(log, 1) }) },
  TermWindingDown: {
    of: "term",
    event: "WindingDown",
    read: (log) => ({ claims: uint(log, 0), cash: uint(log, 1) }),
  },
  TermClaimed: { of: "term", event: "Claimed", read: payment },
  TermRecovered: {
    of: "term",
    event: "Recovered",
    read: (log) => ({ id: uintTopic(log, 1), from: addressTopic(log, 2), to: addressTopic(log, 3) }),
  },
  TermTransfer: {
    of: "term",
    event: "Transfer",
    read: (log) => ({ from: addressTopic(log, 1), to: addressTopic(log, 2), id: uintTopic(log, 3) }),
  },
  RoleGranted: {
    of: "access_manager",
    read: (log) => ({
      role: uintTopic(log, 1),
      account: addressTopic(log, 2),
      delay: small(log, 0),
      since: small(log, 1),
    }),
  },
  RoleRevoked: {
    of: "access_manager",
    read: (log) => ({ role: uintTopic(log, 1), account: addressTopic(log, 2) }),
  },
  OperationScheduled: {
    of: "access_manager",
    read: (log) => ({
      ...operation(log),
      schedule: small(log, 0),
      caller: addressWord(log, 1),
      target: addressWord(log, 2),
      data: bytes(log, 3),
    }),
  },
  OperationExecuted: { of: "access_manager", read: (log) => operation(log) },
  OperationCanceled: { of: "access_manager", read: (log) => operation(log) },
  RoleLabel: {
    of: "access_manager",
    read: ({ topics, data }) => {
      const [signature, ...indexed] = topics as [Hex, Hex];
      const { args } = decodeEventLog({
        abi: accessManagerAbi,
        eventName: "RoleLabel",
        topics: [signature, ...indexed],
        data,
      });
      return { role: args.roleId, label: args.label };
    },
  },
  Anchored: {
    of: "telemetry_anchor",
    read: (log) => ({
      stream: topic(log, 1),
      batch: Number(uintTopic(log, 2)),
      root: topic(log, 3),
      from: small(log, 0),
      to: small(log, 1),
      count: small(log, 2),
      dataHash: word(log, 3),
      head: word(log, 4),
    }),
  },
  HeadKept: {
    of: "telemetry_anchor",
    read: (log) => ({ stream: topic(log, 1), batch: Number(uintTopic(log, 2)), head: word(log, 0) }),
  },
  KeyRegistered: { of: "telemetry_anchor", read: key },
  KeyDropped: { of: "telemetry_anchor", read: key },
  KeyRevoked: { of: "telemetry_anchor", read: (log) => ({ device: topic(log, 1), validFrom: small(log, 0) }) },
};

const abis = {
  access_manager: accessManagerAbi,
  product_registry: productRegistryAbi,
  identity_registry: identityRegistryAbi,
  vault: demandVaultAbi,
  queue: redemptionQueueAbi,
  term: termDepositAbi,
  telemetry_anchor: telemetryAnchorAbi,
};

/** Events with another layout, of contracts that earlier releases deployed: a contract never changes. */
const former: { [Signature: string]: { name: EventName; read: (log: ChainLog) => object } } = {
  "ExitedEarly(uint256,address,uint256)": {
    name: "TermExitedEarly",
    read: (log) => ({ ...payment(log), principal: null }),
  },
  // A loss taken back ended every closure of deposits.
  "LossTakenBack(uint256,int256,uint256,uint64,uint64)": {
    name: "LossTakenBack",
    read: (log) => ({ ...returnedLoss(log), lossUntil: 0 }),
  },
};
const formerBySelector = new Map(
  Object.entries(former).map(([signature, event]) => [toEventSelector(signature), event] as const),
);

/**
 * Maps event signatures to names, one table for each emitter. The tables come from the ABIs, so an event with a
 * changed layout does not match its old signature, which `former` then has to know.
 */
const selectors = Object.fromEntries(
  Object.entries(abis).map(([emitter, abi]) => {
    const known = (Object.entries(layouts) as [EventName, Layout<EventName>][]).filter(([, { of }]) => of === emitter);
    const names = new Map(known.map(([name, { event }]) => [event ?? name, name]));
    const events = (abi as Abi).filter((item) => item.type === "event" && names.has(item.name)) as AbiEvent[];
    const earlier = [...formerBySelector].filter(([, { name }]) => layouts[name].of === emitter);
    return [
      emitter,
      new Map([
        ...events.map((item) => [toEventSelector(item), names.get(item.name)] as const),
        ...earlier.map(([selector, { name }]) => [selector, name] as const),
      ]),
    ];
  }),
) as Record<Emitter, Map<Hex, EventName>>;

/**
 * Returns the name of a log's event without decoding its content. Returns undefined if the event does not change the
 * tables.
 */
export function nameOf(log: ChainLog, emitter: Emitter): EventName | undefined {
  return selectors[emitter].get(log.topics[0] ?? "0x");
}

/** Decodes the event of a log. Returns null if the event does not change the tables (an Approval, a role). */
export function decodeLog(log: ChainLog, emitter: Emitter, time: number): ChainEvent | null {
  const name = nameOf(log, emitter);
  if (!name) return null;
  const { address, block, logIndex, hash } = log;
  const { read } = formerBySelector.get(log.topics[0] ?? "0x") ?? layouts[name];
  return { address, block, logIndex, hash, time, name, ...read(log) } as ChainEvent;
}

export function emitterOf(name: EventName): Emitter {
  return layouts[name].of;
}

function topic(log: ChainLog, index: number): Hex {
  const value = log.topics[index];
  if (!value) throw new RangeError(`log ${log.logIndex} of block ${log.block} has no topic ${index}`);
  return value;
}

function addressTopic(log: ChainLog, index: number): Hex {
  return `0x${topic(log, index).slice(26).toLowerCase()}`;
}

function uintTopic(log: ChainLog, index: number): bigint {
  return BigInt(topic(log, index));
}

function addressWord(log: ChainLog, index: number): Hex {
  return `0x${word(log, index).slice(26).toLowerCase()}`;
}

/** The payment of a receipt. */
function payment(log: ChainLog): { id: bigint; owner: Hex; paid: bigint } {
  return { id: uintTopic(log, 1), owner: addressTopic(log, 2), paid: uint(log, 0) };
}

/** Decodes the wallet of a recovery and the wallet that replaces it. */
function takeover(log: ChainLog): { wallet: Hex; successor: Hex } {
  return { wallet: addressTopic(log, 1), successor: addressTopic(log, 2) };
}

/** Decodes the scheduled call that an event of the AccessManager refers to. */
function operation(log: ChainLog): { operationId: Hex; nonce: number } {
  return { operationId: topic(log, 1), nonce: Number(uintTopic(log, 2)) };
}

/** Reads bytes whose offset is in word `index`. */
function bytes(log: ChainLog, index: number): Hex {
  const start = Number(uint(log, index)) * 2 + 2;
  const length = Number(BigInt(`0x${log.data.slice(start, start + 64) || "0"}`)) * 2;
  const value = log.data.slice(start + 64, start + 64 + length);
  if (value.length !== length) throw new RangeError(`log ${log.logIndex} of block ${log.block} lacks bytes`);
  return `0x${value}`;
}

function sum(log: ChainLog): { amount: bigint } {
  return { amount: uint(log, 0) };
}

/** A loss that was given back, and the stream after it. */
function returnedLoss(log: ChainLog) {
  const settled = BigInt.asIntN(256, uint(log, 1));
  return { assets: uint(log, 0), settled, streaming: uint(log, 2), start: small(log, 3), end: small(log, 4) };
}

function renewal(log: ChainLog): { document: Hex; until: number } {
  return { document: word(log, 0), until: small(log, 1) };
}

/** Decodes a key of a device and the time from which it is valid. */
function key(log: ChainLog): { device: Hex; kind: number; x: Hex; y: Hex; validFrom: number } {
  return { device: topic(log, 1), kind: small(log, 0), x: word(log, 1), y: word(log, 2), validFrom: small(log, 3) };
}

function subjectTopic(log: ChainLog, index: number): Hex {
  return `0x${topic(log, index).slice(34)}`;
}

function word({ data, block, logIndex }: ChainLog, index: number): Hex {
  const digits = data.slice(2 + 64 * index, 66 + 64 * index);
  if (digits.length !== 64) throw new RangeError(`log ${logIndex} of block ${block} has no word ${index}`);
  return `0x${digits}`;
}

function uint(log: ChainLog, index: number): bigint {
  return BigInt(word(log, index));
}

/**
 * Upper limit in seconds for a time or a duration. A larger value means "never", because a number of milliseconds
 * cannot hold it.
 */
export const FOREVER = Math.floor(Number.MAX_SAFE_INTEGER / 1_000);

/** Reads a time, a duration or an enum. A contract may encode "never" as the largest uint64. */
function small(log: ChainLog, index: number): number {
  const value = uint(log, index);
  return value > BigInt(FOREVER) ? FOREVER : Number(value);
}
