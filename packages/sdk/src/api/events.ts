import type { Transaction } from "./portfolio.ts";

/** Server-sent events of GET events; the name of each is the SSE event name, the value its JSON data. */
export interface ServerEvents {
  block: { chain_id: number; block: number; time: number };
  transaction: Transaction;
  product: { short_id: string };
  /** A batch of the product's readings is on chain. */
  anchor: { chain_id: number; short_id: string; number: number };
  /** Newest readings of the product's devices that count, a few times a minute. Not replayed to those who come back. */
  readings: { short_id: string; readings: { device: string; seq: number; time: number; value: string }[] };
  /** To the account's own sessions: its identity check or a record of a wallet of it has moved on. Says no more. */
  identity: Record<string, never>;
  /** The server could not replay everything since Last-Event-ID: reload what is shown. */
  reset: Record<string, never>;
}
export type ServerEventName = keyof ServerEvents;
