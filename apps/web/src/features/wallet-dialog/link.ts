import { t } from "../../i18n/i18n.ts";
import { store } from "../../stored-session.ts";
import { toast } from "../../ui/toast.tsx";
import { prove } from "./prove.ts";

/**
 * Links the visitor's wallet to the logged-in account; connects a wallet first if there is none. On a verified account
 * whose current wallet is `switchFrom`, it switches to the new wallet. Resolves to true on success. Never throws:
 * dialogs and toasts report failures.
 */
export async function linkWallet(switchFrom?: string): Promise<boolean> {
  const account = await prove(switchFrom);
  if (account === null) return false;
  store({ checkAddress: "true" });
  toast({ title: t("dialog.linked"), look: "success" });
  return true;
}
