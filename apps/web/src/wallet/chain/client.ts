import type { ChainClient } from "@aqua/sdk/chain/client";
import { ActionError } from "@aqua/sdk/chain/errors";
import { publicActions } from "viem";
import type { Config } from "wagmi";
import { getClient } from "wagmi/actions";

/**
 * The public client of one chain through our own `/rpc`. Throws ActionError `chainNotServed` if this instance does not
 * serve the chain.
 */
export function chainClient(config: Config, chainId: number): ChainClient {
  const client = getClient(config, { chainId });
  if (client === undefined) throw new ActionError("chainNotServed");
  return client.extend(publicActions) as ChainClient;
}
