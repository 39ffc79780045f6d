import { setTimeout as sleep } from "node:timers/promises";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { type Hex, type PublicClient, zeroAddress } from "viem";

/** Nobody who links a wallet waits longer for a chain that may be away. */
const ANSWER_WITHIN_MS = 2_000;

interface Registry {
  client: PublicClient;
  registry: Hex;
}

/**
 * Whether the wallet has given its place to another one on any of these chains, which is for good. A chain that does not
 * answer counts as no: linking a key works without the chain, and its record then says what became of it.
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
