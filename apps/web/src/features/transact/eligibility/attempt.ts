import { isRefusal } from "@aqua/sdk/chain/wallet-errors";
import { t } from "../../../i18n/i18n.ts";
import { reportFault } from "../../../report-error.ts";
import { toast } from "../../../ui/toast.tsx";

/**
 * Runs an action that first loads the wallet's code. Ignores a rejection by the visitor and shows any other failure.
 */
export function attempt(action: () => Promise<unknown>): void {
  action().catch((error: unknown) => {
    if (isRefusal(error)) return;
    reportFault("wallet", error);
    toast({ title: t("transact.walletUnreachable"), look: "error" });
  });
}
