import type { Pool } from "@aqua/sdk/maths/shares";
import { totalAssetsAt } from "@aqua/sdk/maths/stream";
import type { Hex } from "viem";
import type { ChainEvent } from "./decode.ts";
import type * as schema from "./schema.ts";

export type VaultState = typeof schema.vaultState.$inferSelect;
export type ProductState = typeof schema.productState.$inferSelect;
export type PositionState = typeof schema.position.$inferSelect;
export type IdentityRecord = typeof schema.identityRecord.$inferSelect;
export type Movement = typeof schema.movement.$inferSelect;
export type Report = typeof schema.report.$inferSelect;
export type Product = typeof schema.product.$inferSelect;
export type WithdrawalRequest = typeof schema.withdrawalRequest.$inferSelect;
export type QueueBatch = typeof schema.queueBatch.$inferSelect;
export type TermState = typeof schema.termState.$inferSelect;
export type Term = typeof schema.term.$inferSelect;
export type Receipt = typeof schema.receipt.$inferSelect;
export type Anchor = typeof schema.anchor.$inferSelect;
export type PrivilegedAct = typeof schema.privilegedAct.$inferSelect;

/** The latest version of every row that the current events change. */
export interface World {
  /** True if it holds every row of the tables, so that nothing needs to be loaded. */
  isWhole: boolean;
  vaults: Map<Hex, VaultState>;
  products: Map<Hex, ProductState>;
  /** By `positionKey`. */
  positions: Map<string, PositionState>;
  identities: Map<Hex, IdentityRecord>;
  /** Maps every queue to its vault. */
  queues: Map<Hex, Hex>;
  /** The requests that are not fully processed, by vault, in queue order. */
  requests: Map<Hex, WithdrawalRequest[]>;
  /** The accounts of each vault at the last redemption for its queue. The queue's event follows that redemption. */
  served: Map<Hex, Pool>;
  termStates: Map<Hex, TermState>;
  /** Every term of the products that the events change, by `termKey`. */
  terms: Map<string, Term>;
  /** By `receiptKey`. */
  receipts: Map<string, Receipt>;
}

/** `queues` are the queues that are already known. */
export function emptyWorld(queues: Iterable<[Hex, Hex]> = []): World {
  return {
    isWhole: false,
    vaults: new Map(),
    products: new Map(),
    positions: new Map(),
    identities: new Map(),
    queues: new Map(queues),
    requests: new Map(),
    served: new Map(),
    termStates: new Map(),
    terms: new Map(),
    receipts: new Map(),
  };
}

export function positionKey(product: Hex, wallet: Hex): string {
  return `${product}:${wallet}`;
}

export function termKey(product: Hex, termId: number): string {
  return `${product}:${termId}`;
}

export function receiptKey(product: Hex, receiptId: bigint): string {
  return `${product}:${receiptId}`;
}

/** New versions, in chain order. */
export interface NewRows {
  vaultState: VaultState[];
  productState: ProductState[];
  position: PositionState[];
  movement: Movement[];
  report: Report[];
  identityRecord: IdentityRecord[];
  withdrawalRequest: WithdrawalRequest[];
  queueBatch: QueueBatch[];
  termState: TermState[];
  term: Term[];
  receipt: Receipt[];
  privilegedAct: PrivilegedAct[];
  anchor: Anchor[];
  storedHead: (typeof schema.storedHead.$inferSelect)[];
  deviceKey: (typeof schema.deviceKey.$inferSelect)[];
}

export function noRows(): NewRows {
  return {
    vaultState: [],
    productState: [],
    position: [],
    movement: [],
    report: [],
    identityRecord: [],
    withdrawalRequest: [],
    queueBatch: [],
    termState: [],
    term: [],
    receipt: [],
    privilegedAct: [],
    anchor: [],
    storedHead: [],
    deviceKey: [],
  };
}

/** Returns the position in the chain for a row that `event` causes. */
export function placeOf(chainId: number, event: ChainEvent) {
  return { chainId, block: event.block, logIndex: event.logIndex, time: event.time };
}

/** Returns whether both wallets are bound to one subject and therefore belong to one account. */
export function areOneAccounts(world: World, one: Hex, other: Hex): boolean {
  const subject = world.identities.get(one)?.subject;
  return subject !== undefined && subject !== "0x" && subject === world.identities.get(other)?.subject;
}

/** Fields of a position that only the queue and receipts change, at their initial values. */
export const emptyQueueFigures = { pending: 0n, claimable: 0n, claimableShares: 0n, receipts: 0, interest: 0n };

/** The fields of a vault that determine the price of its shares. */
export type Priced = Pick<VaultState, "supply" | "settled" | "streaming" | "streamStart" | "streamEnd">;

/** Returns the values that determine the price of a vault's shares at `time`, Unix seconds. */
export function poolAt(vault: Priced, time: number): Pool {
  const stream = {
    settled: vault.settled,
    streaming: vault.streaming,
    start: BigInt(vault.streamStart),
    end: BigInt(vault.streamEnd),
  };
  return { totalAssets: totalAssetsAt(stream, BigInt(time)), supply: vault.supply };
}
