import { localChain } from "@aqua/sdk/chains";
import type { PublicClient } from "viem";
import { type Config, ConfigError } from "../config.ts";
import type { Feature } from "../feature.ts";
import type { IndexedChain } from "../indexer/stamp.ts";
import type { Limits } from "../limits/limits.ts";
import { faucetRoutes } from "./routes.ts";
import { createFaucetService } from "./service.ts";

export interface FaucetParts {
  config: Pick<Config, "faucetKey">;
  chains: readonly (IndexedChain & { client: PublicClient })[];
  limits: Limits;
}

/**
 * Provides test dollars and gas on the local chain. Null without a faucet key. @throws ConfigError if the local chain
 * has no test dollar
 */
export function createFaucetFeature({ config, chains, limits }: FaucetParts): Feature | null {
  if (config.faucetKey === null) return null;
  const local = chains.find(({ chainId }) => chainId === localChain.id);
  const testDollar = local?.deployment?.test_dollar;
  if (!local?.deployment || testDollar === undefined) {
    throw new ConfigError(`FAUCET_PRIVATE_KEY needs ${localChain.id}.json with a test_dollar in DEPLOYMENTS_DIR`);
  }
  const deployment = { ...local.deployment, test_dollar: testDollar };
  const { faucetKey } = config;
  return { routes: [faucetRoutes(createFaucetService({ faucetKey, client: local.client, deployment, limits }))] };
}
