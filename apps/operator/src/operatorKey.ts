import type { LocalAccount } from "viem";
import { CommandError } from "./api.ts";
import { type KeyTerminal, keyText } from "./keystore.ts";

/**
 * The account with which an operator signs acts, of OPERATOR_KEYSTORE or OPERATOR_KEY. Null if neither is set. The key
 * and the passphrase are never repeated, not even wrong ones.
 * @throws CommandError for a wrong setting, or a passphrase that does not open the keystore
 */
export async function operatorAccount(terminal: KeyTerminal): Promise<LocalAccount | null> {
  const key = await keyText("OPERATOR_KEY", terminal);
  if (key === null) return null;
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) throw new CommandError("OPERATOR_KEY must be 0x and 64 hex digits");
  const { privateKeyToAccount } = await import("viem/accounts");
  try {
    return privateKeyToAccount(key as `0x${string}`);
  } catch {
    throw new CommandError("OPERATOR_KEY holds no valid key of secp256k1");
  }
}
