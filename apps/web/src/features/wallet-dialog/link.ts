import { t } from "../../i18n/i18n.ts";
import { store } from "../../stored-session.ts";
import { toast } from "../../ui/toast.tsx";
import { prove } from "./prove.ts";

/**
 * Links the visitor's wallet to the logged-in account, after connecting one when there is none; on a verified account
 * with another wallet, `switchFrom`, it switches. Resolves with whether that was done. Never throws: dialogs and toasts
 * report what failed.
 */
export async function linkWallet(switchFrom?: string): Promise<boolean> {
  const account = await prove(switchFrom);
  if (account === null) return false;
  store({ checkAddress: "true" });
  toast({ title: t("dialog.linked"), look: "success" });
  return true;
}
