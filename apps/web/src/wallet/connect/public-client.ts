import { getClient } from "wagmi/actions";

/**
 * Replaces wagmi's function of this name, which adds all of viem's sixty actions, a third of the wallet's code. The kit
 * calls none of them; it passes its client to an action of viem. Our own actions are in ../chain/client.ts.
 */
export const getPublicClient = getClient;
