import { t } from "../../../i18n/i18n.ts";
import { toast } from "../../../ui/toast.tsx";
import { isRefusal } from "../../../wallet/lifecycle/refusal.ts";

/**
 * Runs an action that first has to load the wallet's code. Ignores the visitor's rejection; reports a network failure.
 */
export function attempt(action: () => Promise<unknown>): void {
  action().catch((error: unknown) => {
    if (!isRefusal(error)) toast({ title: t("transact.walletUnreachable"), look: "error" });
  });
}
