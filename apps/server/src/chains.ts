import { localChain } from "@aqua/sdk/chains";
import type { Deployment } from "@aqua/sdk/deployment";
import type { Logger } from "pino";
import { createPublicClient, fallback, type HttpTransport, http, type PublicClient } from "viem";
import { isAway } from "./chain/away.ts";
import { type ChainConfig, type Config, ConfigError } from "./config.ts";
import type { Database } from "./db/database.ts";
import { readDeployment } from "./deployments.ts";
import type { EventHub } from "./events/hub.ts";
import { createIndexer, type Indexer } from "./indexer/indexer.ts";
import { forgetChain } from "./indexer/store.ts";
import type { NodeFailures } from "./rpc/failures.ts";
import type { AnchoringState } from "./telemetry/anchoring/job.ts";

/** A configured chain: its node and its index. */
export interface Chain {
  chainId: number;
  rpcUrls: readonly string[];
  client: PublicClient;
  /** Counts a call of a visitor that this node did not answer. */
  nodeFailed?: (url: string) => void;
  /** Overrides the chain's default number of blocks until finality. */
  confirmations: number | null;
  /** Null if only the node is offered. */
  deployment: Deployment | null;
  indexer: Indexer | null;
  status: () => ReturnType<Indexer["status"]> | null;
  /** Set by the feature that writes wallets' records on this chain. */
  attesterOutOfGas?: () => boolean;
  /** Set by the feature that anchors readings on this chain. */
  anchoring?: AnchoringState;
}

const NODE_TIMEOUT_MS = 10_000;

/**
 * @throws ConfigError for an invalid file, and for contracts on another chain than the local one if the server is a
 *   demo
 */
export async function openChains(
  settings: Pick<Config, "chains" | "deploymentsDir" | "demo" | "demoAccount" | "reindex" | "roles">,
  {
    db,
    owner,
    events,
    failures,
    log,
  }: { db: Database; owner: string; events: EventHub; failures: NodeFailures; log: Logger },
): Promise<Chain[]> {
  const opened: Chain[] = [];
  for (const config of settings.chains) {
    const { chainId, rpcUrls, confirmations } = config;
    const client = clientOf(config.rpcUrls, (url) => failures.note(chainId, url, "server"));
    const deployment = await readDeployment(settings.deploymentsDir, chainId);
    if (deployment !== null) refuseDemo(settings, chainId);
    if (!deployment) log.warn({ chain_id: chainId }, "no deployment of this chain: only its node is offered");
    if (settings.reindex.includes(chainId)) {
      await forgetChain(db, chainId);
      log.warn(
        { chain_id: chainId },
        "REINDEX_CHAINS: this chain is read anew; take the setting away before the next start",
      );
    }
    const indexing = { settings: confirmations === null ? {} : { confirmations }, ...headsUrlOf(config) };
    const writes = settings.roles.includes("indexer");
    const indexer =
      deployment && createIndexer({ db, client, chainId, deployment, owner, events, log, writes, ...indexing });
    const nodeFailed = (url: string) => failures.note(chainId, url, "wallet");
    opened.push({
      chainId,
      rpcUrls,
      client,
      nodeFailed,
      confirmations,
      deployment,
      indexer,
      status: () => indexer?.status() ?? null,
    });
  }
  return opened;
}

/**
 * Rejects demo settings on a public chain. An account exists for all chains, so an identity that the sandbox verifies
 * would get a record on each chain with contracts.
 */
function refuseDemo({ demo, demoAccount }: Pick<Config, "demo" | "demoAccount">, chainId: number): void {
  if (chainId === localChain.id) return;
  const name = demo ? "DEMO_MODE" : demoAccount !== null ? "DEMO_ACCOUNT" : null;
  if (name === null) return;
  const why = `is only for the local chain, and ${chainId}.json is in DEPLOYMENTS_DIR`;
  throw new ConfigError(`${name} ${why}: take RPC_URL_${chainId} or ${name} away`);
}

/**
 * A client of a chain's nodes, which are tried in order. It requests no other address: neither one that a node
 * redirects to nor one that a contract names (ERC-3668). The owner of a checked wallet may choose that contract.
 * @param failed called for each call that a node did not answer
 */
export function clientOf(rpcUrls: readonly string[], failed: (url: string) => void = () => {}): PublicClient {
  // The indexer and the watcher retry by themselves. Retries below them would only hide problems of a node.
  const transports = rpcUrls.map((url) =>
    noting(http(url, { timeout: NODE_TIMEOUT_MS, retryCount: 0, fetchOptions: { redirect: "error" } }), () =>
      failed(url),
    ),
  );
  const [only] = transports;
  const transport = only && transports.length === 1 ? only : fallback(transports);
  return createPublicClient({ transport, ccipRead: false });
}

function noting(transport: HttpTransport, failed: () => void): HttpTransport {
  return (parameters) => {
    const opened = transport(parameters);
    const request = (async (call) => {
      try {
        return await opened.request(call);
      } catch (error) {
        if (isAway(error)) failed();
        throw error;
      }
    }) as typeof opened.request;
    return { ...opened, request };
  };
}

/** The local chain publishes its blocks at its RPC address. Other nodes may use another address or none. */
function headsUrlOf({ chainId, rpcUrls: [url], headsUrl }: ChainConfig): { headsUrl?: string } {
  if (headsUrl !== null) return { headsUrl };
  return chainId === localChain.id && url !== undefined ? { headsUrl: url.replace(/^http/, "ws") } : {};
}
