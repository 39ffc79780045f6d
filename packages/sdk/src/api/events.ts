import type { Transaction } from "./portfolio.ts";

/** Server-sent events of GET events. Each key is the SSE event name, and its value is the JSON data. */
export interface ServerEvents {
  block: { chain_id: number; block: number; time: number };
  /** A transaction confirmed on chain. It may be sent again after a reorganisation, which ends with `reset`. */
  transaction: Transaction;
  product: { short_id: string };
  /** A batch of the product's readings is on chain. */
  anchor: { chain_id: number; short_id: string; number: number };
  /**
   * The newest valid readings of the product's devices, sent a few times a minute. They are not replayed after a
   * reconnect.
   */
  readings: { short_id: string; readings: { device: string; seq: number; time: number; value: string }[] };
  /**
   * Sent to the account's own sessions if its identity check or the record of one of its wallets changes. It contains
   * no details.
   */
  identity: Record<string, never>;
  /**
   * The client must reload its data: the server could not replay everything since Last-Event-ID, or it has read many
   * blocks or another branch of a chain.
   */
  reset: Record<string, never>;
}
export type ServerEventName = keyof ServerEvents;
