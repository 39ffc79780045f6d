import { publicActions } from "viem";
import type { Config } from "wagmi";
import { getClient } from "wagmi/actions";
import { ActionError } from "../lifecycle/stages.ts";

/**
 * The public client of one chain, through our own `/rpc`. Throws ActionError `chainNotServed` when this instance has
 * none.
 */
export function chainClient(config: Config, chainId: number) {
  const client = getClient(config, { chainId });
  if (client === undefined) throw new ActionError("chainNotServed");
  return client.extend(publicActions);
}
export type ChainClient = ReturnType<typeof chainClient>;
