import { logIn } from "../session.ts";
import { proveWallet } from "./prove.ts";

/** Logs in with the connected wallet, when it is linked to an account. Throws what the server or the wallet said. */
export async function signInWithWallet(): Promise<void> {
  const answer = await proveWallet();
  if (answer !== null && "token" in answer) logIn(answer);
}
