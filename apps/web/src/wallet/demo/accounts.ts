import { type Hex, isHex, type LocalAccount } from "viem";
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { local } from "../../browser-storage.ts";
import { ProviderError, unauthorized } from "./provider.ts";

/** The check of production builds searches for this text, which must not be in them. */
export const marker = "aqua-demo-wallet";

/** The well-known development mnemonic of local chains. It is public, so it must never hold anything of value. */
const phrase = "test test test test test test test test test test test junk";
const addressIndex = 20;
const keyName = `${marker}.key`;

let demo: LocalAccount | null = null;

/** The account that `npm start` prepares. Derived lazily, since derivation takes a tenth of a second. */
export function demoAccount(): LocalAccount {
  demo ??= mnemonicToAccount(phrase, { addressIndex });
  return demo;
}

/**
 * An account that exists only in this browser. Its key is generated on first use and stored in local storage. It starts
 * empty.
 */
export function ownAccount(): LocalAccount {
  const stored = local.get(keyName);
  if (isKey(stored)) return privateKeyToAccount(stored);
  const key = generatePrivateKey();
  local.set(keyName, key);
  return privateKeyToAccount(key);
}

function isKey(value: string | null): value is Hex {
  return value !== null && isHex(value) && value.length === 66;
}

/** The account with this address. Throws ProviderError 4100 if the wallet does not have it. */
export function holderOf(address: Hex): LocalAccount {
  const account = [demoAccount(), ownAccount()].find((each) => each.address.toLowerCase() === address.toLowerCase());
  if (account === undefined) throw new ProviderError(unauthorized, "The wallet does not hold this account");
  return account;
}
