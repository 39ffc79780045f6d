import { waitForTransactionReceipt } from "viem/actions";
import type { Config } from "wagmi";
import { type GetClientParameters, getClient } from "wagmi/actions";

/**
 * Takes the place of wagmi's function of this name, which adds all of viem's sixty actions, a third of the wallet's code.
 * The kit asks for one of them; ours are in ../chain/client.ts.
 */
export function getPublicClient(config: Config, parameters: GetClientParameters = {}) {
  return getClient(config, parameters)?.extend((client) => ({
    waitForTransactionReceipt: (receipt: Parameters<typeof waitForTransactionReceipt>[1]) =>
      waitForTransactionReceipt(client, receipt),
  }));
}
