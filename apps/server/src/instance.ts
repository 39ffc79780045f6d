import { localChain } from "@aqua/sdk/chains";
import type { Deployment } from "@aqua/sdk/deployment";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Logger } from "pino";
import { createPublicClient, fallback, type Hex, http, type PublicClient } from "viem";
import { createAccountFeature } from "./account/feature.ts";
import { createKnownDevices } from "./account/knownDevices.ts";
import { createNotify } from "./account/notices.ts";
import { createSessions } from "./account/sessions.ts";
import { createSender } from "./chain/sender.ts";
import { type ChainConfig, type Config, ConfigError } from "./config.ts";
import { openDatabase } from "./db/database.ts";
import { migrate } from "./db/migrate.ts";
import { readDeployment } from "./deployments.ts";
import { createEventHub } from "./events/hub.ts";
import { faucetRoutes } from "./faucet/routes.ts";
import { createFaucetService } from "./faucet/service.ts";
import { buildApp } from "./http/app.ts";
import { imageRoutes } from "./http/images.ts";
import { boundReads } from "./http/reads.ts";
import { createOnce } from "./idempotency/once.ts";
import { sweepAnswers } from "./idempotency/store.ts";
import { createIdentityFeature } from "./identity/feature.ts";
import { verificationOf } from "./identity/status.ts";
import { sweepCallbacks } from "./identity/store.ts";
import { createIndexer, type Indexer } from "./indexer/indexer.ts";
import { versionReader } from "./indexer/stamp.ts";
import { createJobRunner } from "./jobs/runner.ts";
import { sweepGivenUp } from "./jobs/store.ts";
import { createSweep } from "./jobs/sweep.ts";
import { createKeys, secretOfFolder } from "./keys.ts";
import { createLimits, type Limits } from "./limits/limits.ts";
import { createMailer } from "./mail/mail.ts";
import { outboxRoutes } from "./mail/routes.ts";
import { sweepOutbox } from "./mail/store.ts";
import { outboxTransport, smtpTransport } from "./mail/transport.ts";
import { createLookups } from "./portfolio/lookups.ts";
import { createPendingWatcher } from "./portfolio/pending.ts";
import { portfolioRoutes } from "./portfolio/routes.ts";
import { createPortfolioService } from "./portfolio/service.ts";
import { watchDocuments } from "./product/documents.ts";
import { productRoutes } from "./product/routes.ts";
import { createProductService } from "./product/service.ts";
import { profileRoutes } from "./profile/routes.ts";
import { enqueueAllRecords, RECORD_JOB } from "./records/enqueue.ts";
import { createRecordJob, type RecordChain } from "./records/job.ts";
import { isRetired } from "./records/retired.ts";
import { createAnchoringFeature } from "./telemetry/anchoring/feature.ts";
import type { AnchoringState } from "./telemetry/anchoring/job.ts";
import { createTelemetryFeature } from "./telemetry/feature.ts";
import { incomeRoutes } from "./telemetry/income/routes.ts";
import { createIncomeService } from "./telemetry/income/service.ts";
import { startIntake } from "./telemetry/mqtt/intake.ts";
import { devicesSeenSince } from "./telemetry/read/deviceStore.ts";
import { telemetryReadRoutes } from "./telemetry/read/routes.ts";
import { createTelemetryReader } from "./telemetry/read/service.ts";
import { transparencyRoutes } from "./transparency/routes.ts";
import { createTransparencyService } from "./transparency/service.ts";
import { walletRoutes } from "./wallet/routes.ts";
import { createWalletService } from "./wallet/service.ts";
import { sweepNonces } from "./wallet/store.ts";

export interface Instance {
  /** Where it listens. */
  url: string;
  /** Answers what is under way, then stops what runs beside it, then closes the database. */
  stop(): Promise<void>;
}

interface Chain {
  chainId: number;
  rpcUrls: readonly string[];
  client: PublicClient;
  deployment: Deployment | null;
  indexer: Indexer | null;
  status: () => ReturnType<Indexer["status"]> | null;
  attesterOutOfGas?: () => boolean;
  anchoring?: AnchoringState;
}

const NODE_TIMEOUT_MS = 10_000;
const DAY_MS = 24 * 60 * 60_000;

/** Builds every part of the server and starts it. What was opened is closed again when something on the way fails. */
export async function startInstance(config: Config, log: Logger): Promise<Instance> {
  const closers: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const db = await openDatabase(config, log);
    closers.push(db.close);
    const migrations = await migrate(db);
    log.info({ database: db.kind, migrations }, "database is open");

    const keys = createKeys(config.secret ?? (await secretOfFolder(config.dataDir)));
    const limits = createLimits(db, keys);
    const once = createOnce(db);
    const hub = createEventHub();
    const chains: Chain[] = [];
    for (const chainConfig of config.chains) {
      const { chainId, rpcUrls, confirmations } = chainConfig;
      const client = clientOf(chainConfig);
      const deployment = await readDeployment(config.deploymentsDir, chainId);
      if (!deployment) log.warn({ chain_id: chainId }, "no deployment of this chain: only its node is offered");
      const settings = confirmations === null ? {} : { confirmations };
      const indexer =
        deployment &&
        createIndexer({ db, client, chainId, deployment, events: hub, log, settings, ...headsUrlOf(chainConfig) });
      chains.push({ chainId, rpcUrls, client, deployment, indexer, status: () => indexer?.status() ?? null });
    }

    const { documents, stop: stopDocuments } = await watchDocuments(config.productsDir, log);
    closers.push(async () => stopDocuments());
    const reads = boundReads(db);
    const products = createProductService({ db: reads, chains, documents, countDevices: devicesSeenSince });
    const faucet = faucetOf(config, chains, limits);
    const sessions = createSessions(db);
    const devices = createKnownDevices(keys, config.publicUrl);
    const recordChains = recordChainsOf(config, chains);
    const mails =
      config.mail.smtpUrl === null ? outboxTransport(db) : smtpTransport(config.mail.smtpUrl, config.mail.from);
    closers.push(async () => mails.close());
    const mailer = createMailer({ keys, transport: mails, publicUrl: config.publicUrl });
    const recordChainIds = recordChains.map(({ chainId }) => chainId);
    const wakeJobs = () => jobs.wake();
    const shared = { db, keys, sessions, limits, events: hub, recordChainIds, notify: createNotify(mailer), wakeJobs };
    const accounts = createAccountFeature({
      ...{ config, db, keys, limits, once, sessions, devices, mailer, wakeJobs },
      beforeDelete: (tx, accountId) => enqueueAllRecords(tx, recordChainIds, accountId),
    });
    const wallets = createWalletService({
      ...{ ...shared, chains, publicUrl: config.publicUrl },
      isRetired: (address) => isRetired(recordChains, address),
    });
    const identity = createIdentityFeature({ ...shared, once, config });
    const chainIds = chains.map(({ chainId }) => chainId);
    const telemetry = createTelemetryFeature({ db, events: hub, limits, chainIds, config });
    closers.push(telemetry.stop);
    const anchoring = createAnchoringFeature({ db, chains, config, log });
    const lookups = createLookups();
    const features: FastifyPluginAsyncZod[] = [
      productRoutes(products),
      imageRoutes({
        productsDir: config.productsDir,
        imageOf: async (shortId) => (await products.detail(shortId)).image,
      }),
      portfolioRoutes(createPortfolioService({ db: reads, chains, documents, lookups }), once),
      transparencyRoutes(createTransparencyService({ db: reads, chains, documents })),
      telemetryReadRoutes(createTelemetryReader({ db: reads, chains, documents })),
      anchoring.routes,
      incomeRoutes(createIncomeService({ db: reads, chains, documents })),
      walletRoutes({ db, sessions, wallets, devices }),
      accounts.routes,
      profileRoutes({ db, keys, sessions }),
      ...identity.routes,
      ...telemetry.routes,
      ...(config.demo ? [outboxRoutes({ db })] : []),
      ...(faucet ? [faucet] : []),
    ];

    const sweep = createSweep(db, [
      accounts.sweep,
      limits.sweep,
      telemetry.sweep,
      () => sweepNonces(db.orm),
      () => sweepCallbacks(db.orm),
      () => sweepAnswers(db.orm, Date.now()),
      () => sweepOutbox(db.orm, Date.now() - 7 * DAY_MS),
      () => sweepGivenUp(db.orm, Date.now() - 30 * DAY_MS),
    ]);
    const jobs = createJobRunner({
      db,
      log,
      handlers: {
        ...identity.handlers,
        [RECORD_JOB]: createRecordJob({ db, events: hub, verificationOf, chains: recordChains, log }),
        ...anchoring.handlers,
        ...mailer.handlers,
        ...accounts.handlers,
        ...sweep.handlers,
      },
    });
    closers.push(jobs.stop);
    const watcher = createPendingWatcher({ db, chains, lookups, events: hub, log });
    closers.push(async () => {
      await Promise.all([watcher.stop(), ...chains.map(({ indexer }) => indexer?.stop())]);
    });
    const chainsVersion = versionReader(db, chains);
    const metrics = [telemetry.registerMetrics];
    const intake = await startIntake(config.mqtt, { ...telemetry, log });
    closers.push(intake.stop);
    const app = await buildApp({
      config,
      log,
      db,
      hub,
      findSession: sessions.optional,
      chains,
      // A document is kept under the hash of its bytes and never goes: their number tells whether there are new ones.
      readVersion: async (tx) => `${documents.size} ${await chainsVersion(tx)}`,
      faucet: faucet !== null,
      features,
      metrics,
      notes: intake.notes,
    });
    closers.push(() => app.close());
    const url = await app.listen({ port: config.port, host: config.host }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "EADDRINUSE" ? new ConfigError(`PORT ${config.port} on ${config.host} is taken`) : error;
    });
    for (const { indexer } of chains) await indexer?.start();
    watcher.start();
    await sweep.schedule();
    await anchoring.schedule();
    jobs.start();
    return { url, stop };
  } catch (error) {
    await stop().catch((cause: unknown) => log.error({ err: cause }, "closing after a failed start failed too"));
    throw error;
  }
}

/** The chains on which our attester keeps the records of verified wallets. */
function recordChainsOf({ attesterKey }: Config, chains: Chain[]): RecordChain[] {
  if (attesterKey === null) return [];
  return chains.flatMap((chain) => {
    if (chain.deployment === null) return [];
    let out = false;
    chain.attesterOutOfGas = () => out;
    return {
      ...{ chainId: chain.chainId, client: chain.client, registry: chain.deployment.identity_registry as Hex },
      attester: createSender(chain.client, attesterKey),
      outOfGas: (is: boolean) => {
        out = is;
      },
    };
  });
}

function clientOf({ rpcUrls }: ChainConfig): PublicClient {
  // The indexer and the watcher have patience of their own; retries below them would only hide a node's trouble.
  const transports = rpcUrls.map((url) => http(url, { timeout: NODE_TIMEOUT_MS, retryCount: 0 }));
  const [only] = transports;
  return createPublicClient({ transport: only && transports.length === 1 ? only : fallback(transports) });
}

/** The local chain tells of its blocks at the address where it is asked; another node may do so elsewhere or not at all. */
function headsUrlOf({ chainId, rpcUrls: [url] }: ChainConfig): { headsUrl?: string } {
  return chainId === localChain.id && url !== undefined ? { headsUrl: url.replace(/^http/, "ws") } : {};
}

function faucetOf(config: Config, chains: readonly Chain[], limits: Limits): FastifyPluginAsyncZod | null {
  if (config.faucetKey === null) return null;
  const local = chains.find(({ chainId }) => chainId === localChain.id);
  const testDollar = local?.deployment?.test_dollar;
  if (!local?.deployment || testDollar === undefined) {
    throw new ConfigError(`FAUCET_PRIVATE_KEY needs ${localChain.id}.json with a test_dollar in DEPLOYMENTS_DIR`);
  }
  return faucetRoutes(
    createFaucetService({
      faucetKey: config.faucetKey,
      client: local.client,
      deployment: { ...local.deployment, test_dollar: testDollar },
      limits,
    }),
  );
}
