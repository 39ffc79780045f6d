import { t } from "../../../i18n/i18n.ts";
import { toast } from "../../../ui/toast.tsx";
import { isRefusal } from "../../../wallet/lifecycle/refusal.ts";

/** Runs something that first has to fetch the wallet's code. A refusal shows nothing; a missing network is reported. */
export function attempt(action: () => Promise<unknown>): void {
  action().catch((error: unknown) => {
    if (!isRefusal(error)) toast({ title: t("transact.walletUnreachable"), look: "error" });
  });
}
