import { keySignature } from "@aqua/sdk/keySignature";
import {
  BaseError,
  type Client,
  createClient,
  custom,
  type Hex,
  hashMessage,
  numberToHex,
  type PublicClient,
  parseAbi,
  recoverMessageAddress,
} from "viem";
import { readContract, verifyHash } from "viem/actions";
import { isAway } from "../chain/away.ts";
import { ApiError, ServerBusy } from "../errors.ts";
import { networksOf } from "../limits/network.ts";
import { createFairQueue, QueueFull } from "../limits/queue.ts";

export interface Signed {
  address: Hex;
  message: string;
  signature: Hex;
  /** Address of the sender. */
  ip: string;
}

/**
 * Gas limit of a call to a contract wallet. Creating a wallet and checking a passkey in Solidity need less than half
 * of it. A contract that never ends costs the node about 50 ms.
 */
const CHECK_GAS = 5_000_000n;

/**
 * Limits the checks that call a node, over all chains. A caller can choose the contract that is called, so the limit
 * for one network leaves the node free for others. With `CHECK_GAS`, the node finishes long before the client's
 * time-out, and the place is free then.
 */
const checks = createFairQueue({
  running: { perNetwork: 1, perSite: 2, total: 4 },
  waiting: { perNetwork: 8, perSite: 16, total: 64 },
  waitMs: 5_000,
});

/**
 * Such a signature contains an encoded delegation (EIP-7702), which viem decodes and recovers here. Malformed data
 * throws errors of several libraries without a common type. All of these errors are caused by the caller's bytes.
 */
function isErc8010(signature: Hex): boolean {
  return signature.toLowerCase().endsWith("8010".repeat(16));
}

/**
 * Returns the signature in the form that the contracts accept if `address` signed `message` as personal-sign
 * (EIP-191). The signer can be a key, in any form that its wallet returns, a contract wallet (ERC-1271), one that is
 * not created yet (ERC-6492), or a key that is about to delegate to a contract (ERC-8010). The last three are checked
 * against the current chain. A key needs no chain.
 * @returns null if it did not sign
 * @throws ApiError chain_unavailable; too_many_requests (503) while too many checks wait
 */
export async function acceptedSignature(client: PublicClient, { ip, ...signed }: Signed): Promise<Hex | null> {
  const ofKey = keySignature(signed.signature);
  // The chain has its own, stricter rules for the form. A signature that passes here must also pass there.
  if (ofKey !== null && (await isKeyOf({ ...signed, signature: ofKey }))) return ofKey;
  try {
    return (await checks(networksOf(ip), () => isSignedByContract(client, signed))) ? signed.signature : null;
  } catch (error) {
    throw error instanceof QueueFull ? new ServerBusy() : error;
  }
}

async function isSignedByContract(
  client: PublicClient,
  { address, message, signature }: Omit<Signed, "ip">,
): Promise<boolean> {
  let away: unknown = null;
  // Wraps every request that viem makes for a check, including requests of actions other than `call`. viem treats a
  // failed call as a wrong signature. This check must distinguish the two.
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    try {
      return await client.request({ method, params: method === "eth_call" ? withGas(params) : params } as never);
    } catch (error) {
      if (isAway(error)) away = error;
      throw error;
    }
  };
  const checking = createClient({
    chain: client.chain,
    ccipRead: false,
    transport: custom({ request }, { retryCount: 0 }),
  });
  const hash = hashMessage(message);
  // The contract that viem calls for all kinds of signatures fails for a signature without bytes, which ERC-1271
  // allows.
  const verification =
    signature === "0x" ? hasApproved(checking, address, hash) : verifyHash(checking, { address, hash, signature });
  const valid = await verification.catch((error: unknown) => {
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

function withGas(params: unknown): unknown[] {
  const [transaction, ...rest] = params as [object, ...unknown[]];
  return [{ ...transaction, gas: numberToHex(CHECK_GAS) }, ...rest];
}

const erc1271 = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);
const ERC1271_VALID = "0x1626ba7e";

/** Returns whether a contract wallet accepts the hash as signed without a signature. */
async function hasApproved(client: Client, address: Hex, hash: Hex): Promise<boolean> {
  const call = { address, abi: erc1271, functionName: "isValidSignature", args: [hash, "0x"] } as const;
  return (await readContract(client, call)) === ERC1271_VALID;
}

async function isKeyOf({ address, message, signature }: Omit<Signed, "ip">): Promise<boolean> {
  try {
    return (await recoverMessageAddress({ message, signature })).toLowerCase() === address.toLowerCase();
  } catch {
    // The value is not a point of the curve.
    return false;
  }
}

/**
 * Returns whether there is a contract at the address. A key that delegates to one (EIP-7702) still signs alone and
 * does not count. Returns false if the chain does not answer; the message is then valid for the shorter time.
 */
export async function isContractWallet(client: PublicClient, address: Hex): Promise<boolean> {
  const code = await client.getCode({ address }).catch((error: unknown) => {
    if (isAway(error)) return undefined;
    throw error;
  });
  return code !== undefined && !code.startsWith("0xef0100");
}
