import type { Transaction } from "./portfolio.ts";

/** Server-sent events of GET events; the name of each is the SSE event name, the value its JSON data. */
export interface ServerEvents {
  block: { chain_id: number; block: number; time: number };
  /** Confirmed on chain. After a reorganisation, which ends with `reset`, one that was sent may be sent again. */
  transaction: Transaction;
  product: { short_id: string };
  /** A batch of the product's readings is on chain. */
  anchor: { chain_id: number; short_id: string; number: number };
  /** Newest valid readings of the product's devices, a few times a minute. Not replayed after a reconnect. */
  readings: { short_id: string; readings: { device: string; seq: number; time: number; value: string }[] };
  /**
   * Sent to the account's own sessions when its identity check or the record of one of its wallets changes. Without
   * details.
   */
  identity: Record<string, never>;
  /**
   * The server could not replay everything since Last-Event-ID, or has read many blocks or another branch of a chain: the
   * client must reload its data.
   */
  reset: Record<string, never>;
}
export type ServerEventName = keyof ServerEvents;
