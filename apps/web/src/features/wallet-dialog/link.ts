import { proveWallet } from "./prove.ts";

/**
 * Links the connected wallet to the account that is logged in; on a verified account with another wallet it switches.
 * Throws what the server or the wallet said; a refusal in the wallet changes nothing.
 */
export async function linkWallet(): Promise<void> {
  await proveWallet();
}
