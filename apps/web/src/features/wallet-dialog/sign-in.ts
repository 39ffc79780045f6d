import { store } from "../../stored-session.ts";
import { logIn } from "../session.ts";
import { oops, prove } from "./prove.ts";

/**
 * Logs in with the visitor's wallet if it is linked to an account; connects a wallet first if there is none. Resolves
 * to true on success. Never throws: dialogs and toasts report failures.
 */
export async function signInWithWallet(): Promise<boolean> {
  const answer = await prove();
  if (answer === null) return false;
  if (!("token" in answer)) {
    oops();
    return false;
  }
  logIn(answer);
  store({ checkAddress: "true" });
  return true;
}
