/**
 * The calls of a portfolio by the real HTTP server, on filled tables. Run by bench/wallet.ts, as a process of its own.
 */
import { readConfig } from "../../apps/server/src/config.ts";
import { connectDatabase } from "../../apps/server/src/db/database.ts";
import { createEventHub } from "../../apps/server/src/events/hub.ts";
import { createOpenFindings } from "../../apps/server/src/findings/open.ts";
import { buildApp } from "../../apps/server/src/http/app.ts";
import { createOnce } from "../../apps/server/src/idempotency/once.ts";
import { versionReader } from "../../apps/server/src/indexer/stamp.ts";
import { createLog } from "../../apps/server/src/log.ts";
import { createLookups } from "../../apps/server/src/portfolio/lookups.ts";
import { portfolioRoutes } from "../../apps/server/src/portfolio/routes.ts";
import { createPortfolioService } from "../../apps/server/src/portfolio/service.ts";
import { CHAIN, deployment } from "./wallets.ts";

const [databaseUrl = "", port = ""] = process.argv.slice(2);
const db = await connectDatabase(databaseUrl);
// This chain has no node. Only an announced transaction would query one.
const chain = { chainId: CHAIN, deployment, status: () => ({ state: "live" }), client: undefined as never };
const service = createPortfolioService({
  ...{ db, chains: [chain], documents: new Map(), lookups: createLookups() },
  findings: createOpenFindings(db),
});
const config = readConfig({ RATE_LIMIT_API: "1000000", LOG_LEVEL: "silent", WEB_DIR: import.meta.dirname });
const app = await buildApp({
  readVersion: versionReader(db, [chain]),
  productIds: async () => [],
  db,
  hub: createEventHub(),
  findSession: async () => null,
  chains: [],
  faucet: false,
  config,
  features: [portfolioRoutes(service, createOnce(db))],
  log: createLog(config),
});
await app.listen({ port: Number(port), host: "127.0.0.1" });
process.on("disconnect", () => process.exit(0));
process.send?.("listening");
