import { setTimeout as sleep } from "node:timers/promises";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { type Hex, type PublicClient, zeroAddress } from "viem";

/** Linking a wallet does not wait longer than this for a chain that may be down. */
const ANSWER_WITHIN_MS = 2_000;

interface Registry {
  client: PublicClient;
  registry: Hex;
}

/**
 * True if the wallet has been replaced permanently by another one on any of these chains. A chain that does not answer
 * counts as false: linking a key works without the chain, and its record later shows the result.
 */
export async function isRetired(chains: readonly Registry[], address: Hex): Promise<boolean> {
  const successors = await Promise.all(
    chains.map(({ client, registry }) => {
      const call = { address: registry, abi: identityRegistryAbi, functionName: "successorOf" } as const;
      const answer = client.readContract({ ...call, args: [address] }).catch(() => zeroAddress);
      return Promise.race([answer, sleep(ANSWER_WITHIN_MS, zeroAddress, { ref: false })]);
    }),
  );
  return successors.some((successor) => successor !== zeroAddress);
}
