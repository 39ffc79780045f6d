import { BaseError, type Hex, hashMessage, type PublicClient, recoverMessageAddress } from "viem";
import { verifyHash } from "viem/actions";
import { isAway } from "../chain/away.ts";
import { ApiError } from "../errors.ts";

export interface Signed {
  address: Hex;
  message: string;
  signature: Hex;
}

/**
 * Such a signature carries an encoded delegation (EIP-7702), which viem decodes and recovers here. What is malformed in it
 * throws errors of several libraries without a common type; all of them speak of the caller's bytes.
 */
function isErc8010(signature: Hex): boolean {
  return signature.toLowerCase().endsWith("8010".repeat(16));
}

/**
 * Whether `address` signed `message` as personal-sign (EIP-191): a key, a contract wallet (ERC-1271), one that is not
 * created yet (ERC-6492) or a key about to delegate to a contract (ERC-8010), the last three as the chain sees them now. A
 * key proves itself without the chain.
 * @throws ApiError chain_unavailable
 */
export async function isSignedBy(client: PublicClient, { address, message, signature }: Signed): Promise<boolean> {
  if (await isKeyOf(address, message, signature)) return true;
  let away: unknown = null;
  // viem takes a call that could not be made for a signature that is wrong; here the two are worlds apart.
  const listening: PublicClient = {
    ...client,
    call: (parameters) =>
      client.call(parameters).catch((error: unknown) => {
        if (isAway(error)) away = error;
        throw error;
      }),
  };
  const hash = hashMessage(message);
  const valid = await verifyHash(listening, { address, hash, signature }).catch((error: unknown) => {
    if (!(error instanceof BaseError) && !isErc8010(signature)) throw error;
    if (isAway(error)) away = error;
    return false;
  });
  if (valid) return true;
  if (away !== null) {
    throw new ApiError("chain_unavailable", "The wallet's chain does not answer; try again in a moment");
  }
  return false;
}

async function isKeyOf(address: Hex, message: string, signature: Hex): Promise<boolean> {
  try {
    return (await recoverMessageAddress({ message, signature })).toLowerCase() === address.toLowerCase();
  } catch {
    // Not the shape of a key's signature.
    return false;
  }
}
