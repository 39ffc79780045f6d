import type { Authenticated } from "@aqua/sdk/api/accounts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { toast } from "../../ui/toast.tsx";
import { proveWallet } from "../../wallet/island.ts";
import { isRefusal } from "../../wallet/lifecycle/refusal.ts";
import { api } from "../api.ts";
import { refusalText } from "./refusals.ts";

/**
 * Has the visitor's wallet sign the server's message in the kit's sign-in dialog and answers with what the server said
 * to it; null when the visitor gave up. The dialog says in the specification's words that a step failed; when the
 * server refused for good, a toast says why. Never throws.
 */
export async function prove(): Promise<Authenticated | null> {
  try {
    await loadTexts("wallet", "dialog");
  } catch {
    toast({ title: t("shell.wallet.unreachable"), look: "error" });
    return null;
  }
  let answer: Authenticated | null = null;
  try {
    await proveWallet({
      prepare: async (address, chainId) => (await api.getSignMessage({ address, chain_id: chainId })).message,
      verify: async (message, signature) => {
        try {
          answer = await api.authenticate({ message, signature });
        } catch (error) {
          const reason = refusalText(error);
          if (reason !== null) toast({ title: reason, look: "error" });
          throw error;
        }
      },
    });
  } catch (error) {
    if (!isRefusal(error)) oops();
  }
  return answer;
}

/** The specification's words for what failed in no step of its own. */
export function oops() {
  toast({ title: t("dialog.oops"), look: "error" });
}
