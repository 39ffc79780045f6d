import { store } from "../../stored-session.ts";
import { logIn } from "../session.ts";
import { oops, prove } from "./prove.ts";

/**
 * Logs in with the visitor's wallet if it is linked to an account, after connecting one when there is none. Resolves
 * with whether that was done. Never throws: dialogs and toasts report what failed.
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
