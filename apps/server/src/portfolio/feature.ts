import type { Database } from "../db/database.ts";
import type { Feature } from "../feature.ts";
import type { Once } from "../idempotency/once.ts";
import type { Documents } from "../product/documents.ts";
import { createLookups } from "./lookups.ts";
import { createPendingWatcher, type PendingChain, type PendingParts } from "./pending.ts";
import { portfolioRoutes } from "./routes.ts";
import { createPortfolioService } from "./service.ts";

export interface PortfolioParts extends Pick<PendingParts, "db" | "events" | "log"> {
  /** Where portfolios are read. */
  reads: Database;
  chains: readonly PendingChain[];
  documents: Documents;
  once: Once;
}

/** What wallets hold, did and are about to do. */
export function createPortfolioFeature(parts: PortfolioParts): Feature {
  const { db, reads, chains, documents, once, events, log } = parts;
  const lookups = createLookups();
  const watcher = createPendingWatcher({ db, chains, lookups, events, log });
  return {
    routes: [portfolioRoutes(createPortfolioService({ db: reads, chains, documents, lookups }), once)],
    start: watcher.start,
    stop: watcher.stop,
  };
}
