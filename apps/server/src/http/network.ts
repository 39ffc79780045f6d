import { envelope } from "@aqua/sdk/api/envelope";
import { network } from "@aqua/sdk/api/network";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { getAddress } from "viem";
import { version } from "../version.ts";
import type { ServedChain } from "./chains.ts";

export interface NetworkParts {
  chains: readonly ServedChain[];
  faucet: boolean;
  demo: boolean;
  walletConnectProjectId: string | null;
  nameService: boolean;
}

/** GET network: the settings of this instance that the browser needs first. */
export function networkRoutes({
  chains,
  faucet,
  demo,
  walletConnectProjectId,
  nameService,
}: NetworkParts): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/network",
      { schema: { summary: "This instance and its chains", tags: ["network"], response: { 200: envelope(network) } } },
      async () => ({
        data: {
          version,
          chains: chains
            .flatMap((chain) => (chain.deployment === null ? [] : [{ chain, deployment: chain.deployment }]))
            .map(({ chain, deployment }) => ({
              chain_id: chain.chainId,
              identity_registry: getAddress(deployment.identity_registry),
              product_registry: getAddress(deployment.product_registry),
              head: headOf(chain),
            })),
          node_chains: chains.filter(({ deployment }) => deployment === null).map(({ chainId }) => chainId),
          name_service: nameService,
          faucet,
          demo,
          walletconnect_project_id: walletConnectProjectId,
        },
      }),
    );
  };
}

function headOf(chain: ServedChain) {
  const status = chain.status();
  if (!status?.cursor) return null;
  return { block: status.cursor.block, time: status.cursor.time, stale: status.state !== "live" };
}
