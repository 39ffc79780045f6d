import {
  type Address,
  getAddress,
  type Hex,
  isAddress,
  isHex,
  type LocalAccount,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
} from "viem";
import { privateKeyToAccount, toAccount } from "viem/accounts";

/** Key of an account: a private key, or one that a remote signer holds. */
export type AccountKey = Hex | RemoteKey;

/** A signer that has the method `eth_signTransaction`, such as Web3Signer or Clef. */
export interface RemoteKey {
  /** Its URL. May contain a password. */
  url: string;
  address: Address;
}

/** Milliseconds after which a request to a remote signer is given up. A person may have to confirm it there. */
const SIGNER_TIMEOUT_MS = 60_000;

/** A remote signer does not answer, refuses, or signed something else. */
export class SignerError extends Error {
  override name = "SignerError";
}

/**
 * Returns the key that a setting names: 0x and 64 hex digits, a key of the curve secp256k1, or `https://signer.example/#0x…`, the URL of a remote
 * signer with the account's address behind #. Returns null for anything else.
 */
export function readKey(text: string): AccountKey | null {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return isOnCurve(text as Hex) ? (text as Hex) : null;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const address = url.hash.slice(1);
  if (!/^https?:$/.test(url.protocol) || !isAddress(address)) return null;
  url.hash = "";
  return { url: url.href, address: getAddress(address) };
}

function isOnCurve(key: Hex): boolean {
  try {
    privateKeyToAccount(key);
    return true;
  } catch {
    return false;
  }
}

/** Returns the account whose transactions the key signs. */
export function accountOf(key: AccountKey): LocalAccount {
  return typeof key === "string" ? privateKeyToAccount(key) : remoteAccount(key);
}

function remoteAccount({ url, address }: RemoteKey): LocalAccount {
  const onlyTransactions = async (): Promise<never> => {
    throw new SignerError(`the remote signer of ${address} signs transactions only`);
  };
  return toAccount({
    address,
    signMessage: onlyTransactions,
    signTypedData: onlyTransactions,
    async signTransaction(transaction) {
      const answer = await ask({ url, address }, callOf(address, transaction));
      // Web3Signer answers the signed transaction, Clef an object with it.
      const raw = typeof answer === "object" && answer !== null && "raw" in answer ? answer.raw : answer;
      if (!isHex(raw)) throw new SignerError(`the remote signer of ${address} answered no signed transaction`);
      await requireSame(raw, address, transaction);
      return raw;
    },
  });
}

/** Returns the transaction as `eth_signTransaction` takes it. */
function callOf(from: Address, transaction: TransactionSerializable) {
  const { to, data, value, gas, nonce, chainId, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  return {
    ...{ from, to, data: data ?? "0x", type: "0x2" },
    ...{ value: numberToHex(value ?? 0n), gas: numberToHex(gas ?? 0n) },
    ...{ nonce: numberToHex(nonce ?? 0), chainId: numberToHex(chainId ?? 0) },
    ...{ maxFeePerGas: numberToHex(maxFeePerGas ?? 0n), maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas ?? 0n) },
  };
}

async function ask({ url, address }: RemoteKey, call: object): Promise<unknown> {
  const { username, password, ...target } = partsOf(url);
  const credentials = Buffer.from(`${username}:${password}`).toString("base64");
  let body: { result?: unknown; error?: { message?: string } };
  try {
    const response = await fetch(target.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(username + password === "" ? {} : { authorization: `Basic ${credentials}` }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_signTransaction", params: [call] }),
      redirect: "error",
      signal: AbortSignal.timeout(SIGNER_TIMEOUT_MS),
    });
    body = (await response.json()) as typeof body;
  } catch (cause) {
    throw new SignerError(`the remote signer of ${address} does not answer`, { cause });
  }
  if (body.result !== undefined) return body.result;
  throw new SignerError(`the remote signer of ${address} refuses: ${body.error?.message ?? "it gives no reason"}`);
}

/** fetch accepts no URL with a password. */
function partsOf(address: string) {
  const url = new URL(address);
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  url.username = "";
  url.password = "";
  return { url: url.href, username, password };
}

/** The signer need not be trusted with more than its key: its signature must be one of exactly what was asked. */
async function requireSame(raw: Hex, address: Address, asked: TransactionSerializable): Promise<void> {
  const { r = "0x", s = "0x", yParity = 0 } = parseTransaction(raw);
  const isSame = serializeTransaction({ ...asked, type: "eip1559" } as never, { r, s, yParity }) === raw;
  const serializedTransaction = raw as `0x02${string}`;
  if (isSame && (await recoverTransactionAddress({ serializedTransaction })) === address) return;
  throw new SignerError(`the remote signer of ${address} signed another transaction than it was asked to`);
}
