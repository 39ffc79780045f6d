import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS } from "@aqua/sdk/durations";
import type { Logger } from "pino";
import { createDeletedAccounts } from "./account/deleted.ts";
import { sealedTotpSecrets } from "./account/factors.ts";
import { createAccountFeature } from "./account/feature.ts";
import { createKnownDevices } from "./account/knownDevices.ts";
import { accountMails } from "./account/mails.ts";
import { createNotify } from "./account/notices.ts";
import { createSessions } from "./account/sessions.ts";
import { createAuditFeature } from "./audit/feature.ts";
import { auditMails } from "./audit/mails.ts";
import { openChains } from "./chains.ts";
import { type Config, ConfigError, type Role } from "./config.ts";
import { type Orm, openDatabase } from "./db/database.ts";
import { openDeletionList } from "./db/deletionList.ts";
import { migrate } from "./db/migrate.ts";
import { createEventHub } from "./events/hub.ts";
import { createSharedEvents } from "./events/shared.ts";
import { createFaucetFeature } from "./faucet/feature.ts";
import type { Feature } from "./feature.ts";
import { createOpenFindings } from "./findings/open.ts";
import { buildApp } from "./http/app.ts";
import { chainTroubles } from "./http/health.ts";
import { boundReads } from "./http/reads.ts";
import { createOnce } from "./idempotency/once.ts";
import { deleteExpiredAnswers } from "./idempotency/store.ts";
import { createIdentityFeature } from "./identity/feature.ts";
import { identityMails } from "./identity/mails.ts";
import { verificationOf } from "./identity/status.ts";
import { sealedDocuments, sealedPersons } from "./identity/store.ts";
import { versionReader } from "./indexer/stamp.ts";
import { createCleanup } from "./jobs/cleanup.ts";
import { createJobRunners } from "./jobs/runner.ts";
import { sealedPayloads } from "./jobs/sealed.ts";
import { deleteAbandoned } from "./jobs/store.ts";
import { openKeyring } from "./keyring/keyring.ts";
import { createSealing } from "./keyring/sealing.ts";
import { secretsOfFolder } from "./keys.ts";
import { createLegalFeature } from "./legal/feature.ts";
import { createBudgets } from "./limits/budgets.ts";
import { createLimits } from "./limits/limits.ts";
import { createMailFeature } from "./mail/feature.ts";
import { evidenceExpiryMails } from "./notices/evidenceExpiry.ts";
import { createNoticeFeature } from "./notices/feature.ts";
import { noticeMails } from "./notices/job.ts";
import { lossReviewMails } from "./notices/lossReviews.ts";
import { exportNotices } from "./notices/preferences.ts";
import { createOperationFeature } from "./operations/feature.ts";
import { runningInstances } from "./operations/heartbeat.ts";
import { createDesk } from "./operators/desk.ts";
import { createOperatorFeature } from "./operators/feature.ts";
import { createOperators } from "./operators/service.ts";
import { createPortfolioFeature } from "./portfolio/feature.ts";
import { createIncomeProofFeature } from "./portfolio/incomeProof/feature.ts";
import { openDocuments } from "./product/documents.ts";
import { createProductFeature } from "./product/feature.ts";
import { productIdsOf } from "./product/store.ts";
import { createProfileFeature } from "./profile/feature.ts";
import { createPublicLogFeature } from "./publicLog/feature.ts";
import { openLog, sealedLogSeed, waitForFormerServers } from "./publicLog/open.ts";
import { createLogWriter } from "./publicLog/writer.ts";
import { createRecordFeature } from "./records/feature.ts";
import { linkedWallets } from "./records/store.ts";
import { createNodeFailures } from "./rpc/failures.ts";
import { createAnchoringFeature } from "./telemetry/anchoring/feature.ts";
import { createTrees } from "./telemetry/anchoring/trees.ts";
import { createTelemetryFeature } from "./telemetry/feature.ts";
import { createIncomeFeature } from "./telemetry/income/feature.ts";
import { createTraceReport } from "./telemetry/income/trace.ts";
import { startMqtt } from "./telemetry/mqtt/feature.ts";
import { devicesSeenSince } from "./telemetry/read/deviceStore.ts";
import { createReadingsFeature } from "./telemetry/read/feature.ts";
import { createTransparencyFeature } from "./transparency/feature.ts";
import { createWalletFeature } from "./wallet/feature.ts";
import { walletMails } from "./wallet/mails.ts";
import { createEmit, DELIVERY_JOB } from "./webhooks/emit.ts";
import { createWebhookFeature } from "./webhooks/feature.ts";

export interface Instance {
  /** The address at which it listens. */
  url: string;
  /** Answers requests in progress, then stops background work, then closes the database. */
  stop(): Promise<void>;
}

/** How long an abandoned job is stored, in milliseconds. */
export const ABANDONED_MS = 30 * DAY_MS;

/**
 * An unresponsive mail server blocks each of these jobs for 20 s. They run as many at a time as there are connections
 * to it.
 */
const MAIL_JOBS = { kinds: ["mail.send", "account.code"], concurrency: 2 };

/** A receiver that hangs blocks each of these jobs for 15 s. */
const WEBHOOK_JOBS = { kinds: [DELIVERY_JOB], concurrency: 4 };

/** All mails of the server, by kind. */
export const mails = {
  ...accountMails,
  ...walletMails,
  ...identityMails,
  ...noticeMails,
  ...evidenceExpiryMails,
  ...lossReviewMails,
  ...auditMails,
};

/** Builds every part of the server and starts it. If something fails on the way, all opened parts are closed again. */
export async function startInstance(config: Config, log: Logger): Promise<Instance> {
  const closers: (() => Promise<void> | void)[] = [];
  let isStopping = false;
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const db = await openDatabase(config, log);
    closers.push(db.close);
    const migrations = await migrate(db, {
      waiting: () => log.info("another process migrates the database; waiting for its end"),
    });
    log.info({ database: db.kind, migrations }, "database is open");

    const features: Feature[] = [];
    function add<Part extends Feature>(feature: Part): Part {
      features.push(feature);
      closers.push(() => feature.stop?.());
      return feature;
    }

    const id = randomUUID();
    const secrets = config.secrets ?? (await secretsOfFolder(config.dataDir));
    const columns = [sealedPersons, sealedDocuments, sealedTotpSecrets, sealedPayloads, sealedLogSeed];
    const keys = await openKeyring(db, { secrets, columns, log });
    const writer = createLogWriter(keys);
    await waitForFormerServers(db, { servers: async () => (await runningInstances(db.orm)).length, log });
    const logKey = await openLog(db, { keys, writer, publicUrl: config.publicUrl, operators: config.operatorKeys });
    add(createSealing({ db, keys, columns, log }));
    const limits = createLimits(db, keys);
    const named = createOperators({ db, keys, writer });
    const desk = createDesk({ db, keys, named, publicUrl: config.publicUrl });
    const access =
      config.operatorToken === null
        ? null
        : {
            ...{ db, limits, token: config.operatorToken, operators: config.operatorKeys, origin: logKey.origin },
            ...{ named, desk, fourEyes: config.fourEyes },
          };
    if (access !== null) add(createOperatorFeature(access));
    add(createPublicLogFeature({ db, keys, key: logKey, writer, access, log }));
    const budgets = createBudgets(db, keys, { log });
    const once = createOnce(db);
    const events = createEventHub();
    const ofAccounts = add(createSharedEvents({ db, hub: events, log }));
    const failures = createNodeFailures(config.chains);
    const chains = await openChains(config, { db, owner: id, events, failures, log });
    const { documents, ...stored } = await openDocuments({ db, folder: config.productsDir, writer, log });
    closers.push(stored.stop);
    const reads = boundReads(db, stored.refresh);
    const emit = createEmit(config.webhook !== null);
    const findings = createOpenFindings(db);
    const published = { db: reads, chains, documents, findings };
    const sessions = createSessions(db, keys);
    const devices = createKnownDevices(keys, config.publicUrl);
    const does = (role: Role) => config.roles.includes(role);
    const notifyJobs = () => jobs?.wake();

    const fromTelemetry = { countDevices: devicesSeenSince, traceReport: createTraceReport(documents) };
    add(createProductFeature({ ...published, config, ...fromTelemetry }));
    const { mailer } = add(createMailFeature({ db, keys, config, definitions: mails, log }));
    const notify = createNotify(mailer);
    const records = add(
      createRecordFeature({
        db,
        events: ofAccounts,
        verificationOf,
        requireAccount: writer.requireAccount,
        chains,
        config,
        log,
      }),
    );
    const recordChainIds = records.chainIds;
    const shared = { db, keys, sessions, limits, once, events: ofAccounts, notify, notifyJobs, recordChainIds, writer };
    const deleted = createDeletedAccounts({ db, keys, writer, list: await openDeletionList(config) });
    add({ jobs: deleted.handlers });
    const undone = await deleted.apply(records.enqueueAll);
    if (undone > 0) log.warn({ accounts: undone }, "accounts of a restored backup were deleted again");
    const beforeDelete = async (tx: Orm, accountId: string) => {
      await records.enqueueAll(tx, accountId);
      await deleted.note(tx, accountId);
    };
    const { security } = add(
      createAccountFeature({
        ...{ ...shared, config, devices, mailer, beforeDelete, access },
        walletsOf: linkedWallets,
      }),
    );
    const { publicUrl, switchDelayMs } = config;
    add(createProfileFeature({ ...shared, security, publicUrl, exportMore: exportNotices }));
    add(createIdentityFeature({ ...shared, config, access, emit }));
    const { isRetired } = records;
    const ofWallets = { isRetired, publicUrl, switchDelayMs, security, mailTo: mailer.enqueue };
    add(createWalletFeature({ ...shared, ...ofWallets, chains, devices }));
    add(createPortfolioFeature({ ...published, db, reads, once, events: ofAccounts, log }));
    add(createLegalFeature(config));
    add(createTransparencyFeature(published));
    const auditShare = does("jobs") ? config.auditShare : 0;
    const { operatorMail } = config;
    add(
      createAuditFeature({
        ...{ db, keys, logKey, reads, chains, share: auditShare, leader: id, log },
        ...{ operatorMail, mailer, emit, notifyJobs },
      }),
    );
    add(createWebhookFeature({ db, config, chains, findings, emit, writer, access, notifyJobs, log }));
    const toOperators = { operatorMail, emit: config.webhook === null ? null : emit };
    add(createNoticeFeature({ ...shared, ...toOperators, reads, chains, documents, mailer, log }));
    const chainIds = chains.map(({ chainId }) => chainId);
    const telemetry = add(createTelemetryFeature({ db, events, chainIds, writer, access, config }));
    add(createReadingsFeature(published));
    const trees = createTrees();
    add(createAnchoringFeature({ db, chains, ...telemetry, trees, findings, config, log }));
    add(createIncomeFeature(published));
    add(createIncomeProofFeature({ ...published, trees }));
    add(await startMqtt(does("mqtt") ? config.mqtt : null, { ...telemetry, db, leader: id, log }));
    const faucet = createFaucetFeature({ config, chains, limits });
    if (faucet !== null) add(faucet);
    const troubles = () => features.flatMap((feature) => feature.troubles?.() ?? []);
    const operations = add(
      createOperationFeature({
        ...{ id, db, config, chains, writer, access, notifyJobs, log },
        kinds: () => (does("jobs") ? Object.keys(handlers) : []),
        troubles: () => [...chainTroubles(chains), ...troubles()],
      }),
    );

    const cleanup = createCleanup(db, [
      limits.deleteExpired,
      budgets.deleteExpired,
      () => deleteExpiredAnswers(db.orm, Date.now()),
      () => deleteAbandoned(db.orm, Date.now() - ABANDONED_MS),
      ...features.map((feature) => async () => feature.deleteExpired?.()),
    ]);
    const handlers = Object.fromEntries([cleanup, ...features].flatMap((part) => Object.entries(part.jobs ?? {})));
    // Without the role, other processes find the jobs that this one creates by polling.
    const jobs = does("jobs")
      ? createJobRunners({ db, log, handlers, apart: [MAIL_JOBS, WEBHOOK_JOBS], tried: operations.tried })
      : null;
    closers.push(async () => jobs?.stop());
    closers.push(async () => void (await Promise.all(chains.map(({ indexer }) => indexer?.stop()))));

    // The snapshot of a request has already loaded new documents.
    const chainsVersion = versionReader(db, chains, stored.refreshTo);
    const indexedIds = chains.filter(({ deployment }) => deployment !== null).map(({ chainId }) => chainId);
    const app = await buildApp({
      config,
      log,
      db,
      hub: events,
      findSession: sessions.optional,
      chains,
      // A document is stored under the hash of its bytes and never removed, so the number of documents shows whether
      // there are new ones. An answer from before a finding must not be sent after it.
      readVersion: async (tx) => {
        const ofChains = await chainsVersion(tx);
        return `${documents.size} ${await findings.version()} ${ofChains}`;
      },
      productIds: () => productIdsOf(db.orm, indexedIds),
      budgets,
      faucet: faucet !== null,
      features: features.flatMap(({ routes = [] }) => routes),
      metrics: [...features.flatMap(({ metrics = [] }) => metrics), failures.register],
      troubles,
      isStopping: () => isStopping,
    });
    closers.push(() => app.close());
    closers.push(async () => {
      isStopping = true;
      // A load balancer that asks /ready sends nothing more from now on.
      await sleep(config.shutdownDelayMs);
    });
    const url = await app.listen({ port: config.port, host: config.host }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "EADDRINUSE" ? new ConfigError(`PORT ${config.port} on ${config.host} is taken`) : error;
    });
    db.onReturn(() => {
      for (const { indexer } of chains) indexer?.wake();
      jobs?.wake();
    });
    for (const { indexer } of chains) await indexer?.start();
    for (const feature of features) await feature.start?.();
    await cleanup.start();
    jobs?.start();
    return { url, stop };
  } catch (error) {
    await stop().catch((cause: unknown) => log.error({ err: cause }, "closing after a failed start failed too"));
    throw error;
  }
}
