import type { ChainClient } from "../chain/client.ts";
import type { Deployment } from "../deployment.ts";
import { createEventReader } from "./events.ts";
import { createLedger, type Ledger, noRows } from "./ledger.ts";
import { readProduct } from "./products.ts";
import type { Rows } from "./rows.ts";

export interface RecomputeSource {
  client: ChainClient;
  chainId: number;
  deployment: Deployment;
}

/** Recomputes a chain's rows step by step, from its first block on. */
export interface Recomputation {
  /** The next block to be read. */
  next(): number;
  /** Looks for products that are listed up to block `to`. Products that are listed later come with their history. */
  discover(to: number): Promise<void>;
  /**
   * Reads the blocks up to `to` and returns the rows that their events make. It can be called again after an error of the
   * client, but not after another one.
   */
  advance(to: number): Promise<Rows>;
  ledger: Ledger;
}

export function createRecomputation({ client, chainId, deployment }: RecomputeSource): Recomputation {
  const reader = createEventReader(client, deployment);
  const ledger = createLedger(chainId);
  let next = deployment.start_block;
  return {
    next: () => next,
    discover: reader.discover,
    async advance(to) {
      const { events, accept } = await reader.read(next, to);
      const products: Rows["product"] = [];
      for (const event of events) {
        if (event.kind === "product_registry" && event.eventName === "ProductListed")
          products.push(await readProduct(client, chainId, event));
      }
      // From here on nothing waits for the node.
      accept();
      const rows = ledger.apply(events);
      next = to + 1;
      return { ...rows, product: [...rows.product, ...products] };
    },
    ledger,
  };
}

const STEP = 5_000;

/**
 * Every row that the events up to block `to` make. `progress` is called with the last block of each step.
 * @throws the client's error when the node does not answer
 */
export async function recompute(
  source: RecomputeSource,
  { to, progress = () => {} }: { to: number; progress?: (block: number) => void },
): Promise<Rows> {
  const recomputation = createRecomputation(source);
  const all = noRows();
  await recomputation.discover(to);
  while (recomputation.next() <= to) {
    const end = Math.min(to, recomputation.next() + STEP - 1);
    const rows = await recomputation.advance(end);
    for (const table of Object.keys(all) as (keyof Rows)[]) (all[table] as unknown[]).push(...rows[table]);
    progress(end);
  }
  return all;
}
