import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { type FastifyPluginAsyncZod, serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import type { Registry } from "prom-client";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { EventHub } from "../events/hub.ts";
import type { Trouble } from "../feature.ts";
import { registerAccessLog } from "./accessLog.ts";
import { type ReadVersion, registerCachedResponses } from "./cachedResponses.ts";
import type { ServedChain } from "./chains.ts";
import { clientErrorRoutes } from "./clientErrors.ts";
import { answerClientError, registerConnectionLimits, serverTimeouts } from "./connections.ts";
import { registerDrain } from "./drain.ts";
import { registerErrors, registerNoWeb, sendError } from "./errors.ts";
import { type FindSession, registerEvents } from "./events.ts";
import { chainTroubles, registerHealth } from "./health.ts";
import { registerHost } from "./host.ts";
import { registerOverload, registerRateLimit, type SharedBudgets } from "./limits.ts";
import { registerMetrics } from "./metrics.ts";
import { registerNames } from "./names.ts";
import { networkRoutes } from "./network.ts";
import { registerDocs, registerOpenApi } from "./openapi.ts";
import { createPages, type ProductIds } from "./pages.ts";
import { registerReads } from "./reads.ts";
import { type ReceiverLimits, registerReceiverLimits } from "./receivers.ts";
import { registerRequestIds, requestIdOf } from "./requestIds.ts";
import { registerRpc } from "./rpc.ts";
import { registerNoStore, registerSecurity } from "./security.ts";
import { registerSecurityTxt } from "./securityTxt.ts";
import { registerCompression, registerStatic } from "./static.ts";
import { registerText } from "./text.ts";

export interface AppParts {
  config: Pick<
    Config,
    | "publicUrl"
    | "allowedHosts"
    | "securityContacts"
    | "trustedProxies"
    | "webDir"
    | "walletConnectProjectId"
    | "nameService"
    | "demo"
    | "roles"
  > & {
    rateLimits: Pick<Config["rateLimits"], "api" | "rpc">;
  };
  log: FastifyBaseLogger;
  db: Database;
  hub: EventHub;
  findSession: FindSession;
  chains: readonly ServedChain[];
  /** Returns the version that the responses of routes marked `cached` depend on, see `createAnswers`. */
  readVersion: ReadVersion;
  productIds: ProductIds;
  /** Counts calls for all processes of the instance. Without it this process counts by itself. */
  budgets?: SharedBudgets;
  /** True if the features include the routes of the faucet. */
  faucet: boolean;
  /** Routes of the features, mounted under /api/v2. */
  features: readonly FastifyPluginAsyncZod[];
  /** Figures of the features for Prometheus. */
  metrics?: readonly ((registry: Registry) => void)[];
  /** Parts of the features that do not work now. */
  troubles?: () => Trouble[];
  /** True once a stop was requested and the server only waits for the load balancer to notice. */
  isStopping?: () => boolean;
  /** Limits for data that receivers do not read. Default: the limits of an instance. */
  receivers?: ReceiverLimits | undefined;
}

const MIB = 1024 * 1024;
/** Milliseconds for which a shutdown waits for active requests. */
const DRAIN_MS = 10_000;

/** The whole HTTP server, not yet listening. Without the role `web` it has only the routes for its operator. */
export async function buildApp({
  config,
  log,
  db,
  hub,
  findSession,
  chains,
  readVersion,
  productIds,
  budgets,
  faucet,
  features,
  metrics = [],
  troubles = () => [],
  isStopping = () => false,
  receivers,
}: AppParts): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    genReqId: requestIdOf,
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    // Hops are counted from this server. The nearest hop is 0.
    trustProxy: config.trustedProxies > 0 && ((_address: string, hop: number) => hop < config.trustedProxies),
    bodyLimit: MIB,
    ...serverTimeouts,
    clientErrorHandler: answerClientError,
    // Fastify's own response would not have the shape of the API. A request that still arrives is served.
    return503OnClosing: false,
    frameworkErrors: sendError,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  registerRequestIds(app);
  // Registered before any hook that may reject a request, so that rejections have the headers too.
  await registerSecurity(app, config);
  registerDrain(app, DRAIN_MS);
  registerErrors(app);
  registerAccessLog(app);
  registerHost(app, config.publicUrl, config.allowedHosts);
  registerConnectionLimits(app, config.trustedProxies);
  registerText(app);
  // Registered before the compression, which converts a response to a stream of unknown length.
  registerReceiverLimits(app, receivers);
  await registerCompression(app);
  await registerOpenApi(app);
  const chainParts = (isWrong: boolean) =>
    chainTroubles(chains).flatMap(({ wrong, ...trouble }) => (wrong === isWrong ? [trouble] : []));
  const degradedParts = () => [...chainParts(false), ...troubles()];
  const registry = registerMetrics({ app, chains, degradedParts, features: metrics });
  registerHealth({ app, db, degradedParts, wrongChains: () => chainParts(true), isStopping });
  if (!config.roles.includes("web")) {
    registerNoWeb(app, config.roles);
    return app;
  }
  registerSecurityTxt(app, config);

  await app.register(async (scope) => {
    registerOverload(scope);
    await registerRpc(scope, chains, { perMinute: config.rateLimits.rpc, budgets });
  });
  const { nameService } = config;
  if (nameService !== null) {
    await app.register(async (scope) => {
      registerOverload(scope);
      await registerNames(scope, nameService);
    });
  }
  await app.register(
    async (api) => {
      await registerRateLimit(api, config.rateLimits.api, budgets);
      registerEvents({ app: api, hub, findSession, registry });
      await api.register(async (calls) => {
        registerOverload(calls);
        registerNoStore(calls);
        registerReads(calls);
        registerCachedResponses(calls, readVersion);
        await calls.register(
          networkRoutes({
            chains,
            faucet,
            demo: config.demo,
            walletConnectProjectId: config.walletConnectProjectId,
            nameService: config.nameService !== null,
          }),
        );
        await calls.register(clientErrorRoutes);
        for (const feature of features) await calls.register(feature);
      });
    },
    { prefix: "/api/v2" },
  );
  await registerDocs(app);
  const { publicUrl, webDir } = config;
  const perMinute = config.rateLimits.api;
  const pages = await createPages({ app, hub, publicUrl, webDir, readVersion, productIds, perMinute, budgets });
  await registerStatic(app, webDir, pages);
  return app;
}
