import type { ProductDocument } from "@aqua/sdk/api/document";
import type { ErrorBody } from "@aqua/sdk/api/envelope";
import type { Hex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { createOpenFindings } from "../../src/findings/open.ts";
import { createOnce } from "../../src/idempotency/once.ts";
import type { Indexer, IndexerSettings } from "../../src/indexer/indexer.ts";
import type { ChainClient } from "../../src/indexer/node.ts";
import { versionReader } from "../../src/indexer/stamp.ts";
import { forgetChain } from "../../src/indexer/store.ts";
import { createLookups, type Lookups } from "../../src/portfolio/lookups.ts";
import { portfolioRoutes } from "../../src/portfolio/routes.ts";
import { createPortfolioService } from "../../src/portfolio/service.ts";
import { productRoutes } from "../../src/product/routes.ts";
import { createProductService } from "../../src/product/service.ts";
import { createTraceReport } from "../../src/telemetry/income/trace.ts";
import { devicesSeenSince } from "../../src/telemetry/read/deviceStore.ts";
import { transparencyRoutes } from "../../src/transparency/routes.ts";
import { createTransparencyService } from "../../src/transparency/service.ts";
import { CHAIN_ID, caughtUp, indexerOf, type RunningIndexer, type World } from "../indexer/world.ts";
import { testApp } from "../support/app.ts";
import type { openTestDatabase } from "../support/databases.ts";
import { walletFeature } from "../support/wallets/feature.ts";

export interface Api {
  /** `data` of a successful GET; rejects with the answer otherwise. */
  get<Data>(path: string): Promise<Data>;
  post<Data>(path: string, body: object): Promise<Data>;
  refusal(path: string, body?: object): Promise<ErrorBody & { status: number }>;
  close(): Promise<void>;
}

/** The features on the real HTTP server, with tables that an indexer fills. */
export async function openApi(
  world: World,
  db: Database,
  indexer: Pick<Indexer, "status">,
  options: { documents?: ReadonlyMap<Hex, ProductDocument>; client?: ChainClient; lookups?: Lookups } = {},
): Promise<Api> {
  const documents = options.documents ?? new Map();
  const { deployment } = world.deployed;
  const chain = { chainId: CHAIN_ID, deployment, status: indexer.status, client: options.client ?? world.client };
  // Read for each request, so that tests need not wait.
  const findings = createOpenFindings(db, { maxAgeMs: 0 });
  const chainsVersion = versionReader(db, [chain]);
  const { app, logged } = await testApp({
    readVersion: async (tx) => `${await findings.version()} ${await chainsVersion(tx)}`,
    features: [
      productRoutes(
        createProductService({
          db,
          chains: [chain],
          documents,
          countDevices: devicesSeenSince,
          traceReport: createTraceReport(documents),
          findings,
        }),
      ),
      portfolioRoutes(
        createPortfolioService({
          db,
          chains: [chain],
          documents,
          lookups: options.lookups ?? createLookups(),
          findings,
        }),
        createOnce(db),
      ),
      transparencyRoutes(createTransparencyService({ db, chains: [chain], documents, findings })),
      walletFeature(db),
    ],
  });
  const send = (path: string, body?: object) =>
    app.inject({ url: `/api/v2/${path}`, method: body ? "POST" : "GET", ...(body ? { payload: body } : {}) });
  const data = async <Data>(path: string, body?: object) => {
    const response = await send(path, body);
    if (response.statusCode !== 200) {
      throw new Error(`${path}: ${response.statusCode} ${response.body}\n${logged.slice(-2).join("\n")}`);
    }
    return response.json<{ data: Data }>().data;
  };
  return {
    get: (path) => data(path),
    post: (path, body) => data(path, body),
    async refusal(path, body) {
      const response = await send(path, body);
      if (response.statusCode === 200) throw new Error(`${path} was not refused: ${response.body}`);
      return { ...response.json<ErrorBody>(), status: response.statusCode };
    },
    close: async () => {
      await app.close();
    },
  };
}

/** A running indexer of a world, and the calls that read its tables, for the tests of one suite. */
export interface Served {
  api: Omit<Api, "close">;
  readonly db: Database;
  readonly indexer: RunningIndexer;
  /** Resolves when the tables are at the chain's head. */
  caughtUp(): Promise<void>;
  /** Reads the whole chain again, with another indexer. */
  startAnew(settings?: Partial<IndexerSettings>): Promise<void>;
}

/** Registers hooks that run one for the whole suite, or one per test, so that a test may revert its world. */
export function served(
  world: () => World,
  open: typeof openTestDatabase,
  each: "suite" | "test",
  documents: (db: Database) => Promise<ReadonlyMap<Hex, ProductDocument>> = async () => new Map(),
): Served {
  let db: Database;
  let indexer: RunningIndexer;
  let api: Api;
  const start = async (settings: Partial<IndexerSettings> = {}) => {
    indexer = indexerOf(world(), db, { settings });
    api = await openApi(world(), db, indexer, { documents: await documents(db) });
    await indexer.start();
    await caughtUp(world(), indexer);
  };
  const stop = async () => {
    await indexer.stop();
    await api.close();
  };
  beforeAll(async () => {
    db = await open();
    if (each === "suite") await start();
  });
  if (each === "suite") afterAll(stop);
  else {
    beforeEach(async () => {
      await forgetChain(db, CHAIN_ID);
      await start();
    });
    afterEach(stop);
  }
  return {
    api: {
      get: (path) => api.get(path),
      post: (path, body) => api.post(path, body),
      refusal: (path, body) => api.refusal(path, body),
    },
    get db() {
      return db;
    },
    get indexer() {
      return indexer;
    },
    caughtUp: () => caughtUp(world(), indexer),
    async startAnew(settings) {
      await stop();
      await forgetChain(db, CHAIN_ID);
      await start(settings);
    },
  };
}
