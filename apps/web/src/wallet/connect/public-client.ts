import { getClient } from "wagmi/actions";

/**
 * Takes the place of wagmi's function of this name, which adds all of viem's sixty actions, a third of the wallet's code.
 * The kit calls none of them: it hands its client to an action of viem. Ours are in ../chain/client.ts.
 */
export const getPublicClient = getClient;
