import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import pino from "pino";
import { inject } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { createEventHub, type EventHub } from "../../src/events/hub.ts";
import { type AppParts, buildApp } from "../../src/http/app.ts";
import type { ServedChain } from "../../src/http/chains.ts";
import type { IndexerStatus } from "../../src/indexer/indexer.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A minimal built web app in the bundler's form. */
    webFolder: string;
  }
}

/** A database for tests of the HTTP server, which needs nothing but an answer from it. */
export const answeringDatabase: Database = {
  kind: "embedded",
  orm: undefined as never,
  transaction: () => Promise.reject(new Error("no tables here")),
  ping: async () => {},
  noteFailure: () => {},
  isDiskFull: () => false,
  connections: () => ({ used: 1, idle: 2, waiting: 0, most: 10 }),
  onReturn: () => {},
  close: async () => {},
};

export const liveStatus: IndexerStatus = {
  head: { block: 100, time: 1_700_000_000_000 },
  cursor: { block: 100, time: 1_700_000_000_000 },
  state: "live",
};

export const localDeployment = {
  chain_id: 31337,
  start_block: 0,
  access_manager: "0x00000000000000000000000000000000000000a1",
  identity_registry: "0x00000000000000000000000000000000000000a2",
  product_registry: "0x00000000000000000000000000000000000000a3",
};

export interface TestApp {
  app: FastifyInstance;
  hub: EventHub;
  /** Lines that the server logged. */
  logged: string[];
}

export async function testApp(
  change: Partial<Omit<AppParts, "config">> & { config?: Partial<AppParts["config"]> } = {},
): Promise<TestApp> {
  const logged: string[] = [];
  const hub = createEventHub(10);
  const chain: ServedChain = {
    chainId: 31337,
    rpcUrls: ["http://127.0.0.1:18148"],
    deployment: localDeployment,
    status: () => liveStatus,
  };
  const { config, ...parts } = change;
  const app = await buildApp({
    log: pino({ level: "info" }, { write: (line: string) => logged.push(line) }),
    db: answeringDatabase,
    hub,
    findSession: async () => null,
    chains: [chain],
    // Tests write into the tables at any time, so no response may be cached.
    readVersion: async () => randomUUID(),
    productIds: async () => [],
    faucet: false,
    features: [],
    ...parts,
    config: {
      publicUrl: "http://localhost:8080",
      securityContacts: [],
      allowedHosts: [],
      trustedProxies: 0,
      webDir: inject("webFolder"),
      walletConnectProjectId: null,
      nameService: null,
      demo: false,
      roles: ["web", "indexer", "jobs", "mqtt"],
      rateLimits: { api: 10_000, rpc: 10_000 },
      ...config,
    },
  });
  return { app, hub, logged };
}
