import type { Database } from "../db/database.ts";
import type { Feature } from "../feature.ts";
import type { OpenFindings } from "../findings/open.ts";
import type { Once } from "../idempotency/once.ts";
import type { Documents } from "../product/documents.ts";
import { createLookups } from "./lookups.ts";
import { createPendingWatcher, type PendingChain, type PendingParts } from "./pending.ts";
import { portfolioRoutes } from "./routes.ts";
import { createPortfolioService } from "./service.ts";

export interface PortfolioParts extends Pick<PendingParts, "db" | "events" | "log"> {
  /** Database that serves the portfolio reads. */
  reads: Database;
  chains: readonly PendingChain[];
  documents: Documents;
  once: Once;
  findings: OpenFindings;
}

/** Creates the feature that serves the holdings, the history and the pending transactions of wallets. */
export function createPortfolioFeature(parts: PortfolioParts): Feature {
  const { db, reads, chains, documents, once, findings, events, log } = parts;
  const lookups = createLookups();
  const watcher = createPendingWatcher({ db, chains, lookups, events, log });
  return {
    routes: [portfolioRoutes(createPortfolioService({ db: reads, chains, documents, lookups, findings }), once)],
    start: watcher.start,
    stop: watcher.stop,
  };
}
