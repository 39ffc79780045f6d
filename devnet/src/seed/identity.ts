import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { YEAR } from "@aqua/sdk/durations";
import type { Address, Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { encodeFunctionData, keccak256, stringToHex } from "viem/utils";
import { roleAccount } from "../accounts.ts";
import { Random } from "../random.ts";
import { LOCAL_CHAIN_ID } from "../rpc.ts";
import type { Call } from "../sender.ts";

/** Records of the seeded world must outlast any demonstration. */
const VALID_YEARS = 5;
/** ISO 3166-1 numeric codes of the countries the invented depositors live in. */
const countries = [756, 250, 276, 380, 300, 724, 528, 410, 702, 344, 392, 124] as const;

/** Account id of a devnet wallet: fixed, so that a restarted seed binds the same record. */
export function subjectOf(wallet: Address): Hex {
  return keccak256(stringToHex(`aqua devnet subject of ${wallet.toLowerCase()}`)).slice(0, 34) as Hex;
}

/**
 * The sign-in text (EIP-4361) before and after its statement, up to its last line, which names the subject and which the
 * registry appends itself.
 */
function signInText(wallet: Address, issuedAt: number): { before: string; after: string } {
  const nonce = keccak256(stringToHex(`aqua devnet nonce of ${wallet} ${issuedAt}`)).slice(2, 18);
  const before = ["localhost wants you to sign in with your Ethereum account:", wallet, ""].join("\n");
  const after = [
    "",
    "",
    "URI: http://localhost",
    "Version: 1",
    `Chain ID: ${LOCAL_CHAIN_ID}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(issuedAt * 1000).toISOString()}`,
  ].join("\n");
  return { before, after };
}

/**
 * Returns the attester's call that verifies `wallet`, with the wallet's own signature. `time` is Unix seconds. `subject`
 * is the account's id.
 */
export async function bindCall(
  registry: Address,
  wallet: PrivateKeyAccount,
  { time, subject = subjectOf(wallet.address) }: { time: number; subject?: Hex },
): Promise<Call> {
  const { before, after } = signInText(wallet.address, time);
  const message = `${before}\nLink this wallet to your Aqua account.${after}`;
  const signature = await wallet.signMessage({ message: `${message}\nRequest ID: ${subject}` });
  const country = new Random(`country ${wallet.address}`).pick(countries);
  const validUntil = BigInt(time + VALID_YEARS * YEAR);
  return {
    from: roleAccount("attester"),
    to: registry,
    what: `bind ${wallet.address}`,
    data: encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: "bind",
      args: [wallet.address, BigInt(subject), validUntil, country, 1, stringToHex(message), signature],
    }),
  };
}

/**
 * Returns the attester's calls that bind `successor` to the account of `wallet` and propose that it take the place of
 * that wallet, with the successor's own signatures.
 */
export async function recoveryCalls(
  registry: Address,
  { wallet, successor, time }: { wallet: Address; successor: PrivateKeyAccount; time: number },
): Promise<Call[]> {
  const subject = subjectOf(wallet);
  const { before, after } = signInText(successor.address, time);
  const line = `\nRecover to this wallet from ${wallet.toLowerCase()}.`;
  const signature = await successor.signMessage({ message: `${before}${line}${after}\nRequest ID: ${subject}` });
  const args = [wallet, successor.address, stringToHex(before), stringToHex(after), signature] as const;
  const data = encodeFunctionData({ abi: identityRegistryAbi, functionName: "proposeRecovery", args });
  return [
    await bindCall(registry, successor, { time, subject }),
    { from: roleAccount("attester"), to: registry, what: `propose the recovery of ${wallet}`, data },
  ];
}
