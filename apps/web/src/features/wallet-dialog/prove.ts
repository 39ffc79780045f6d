import type { Authenticated } from "@aqua/sdk/api/auth";
import { isRefusal } from "@aqua/sdk/chain/wallet-errors";
import { loadTexts, t } from "../../i18n/i18n.ts";
import type { MessageKey } from "../../i18n/keys.ts";
import { reportFault } from "../../report-error.ts";
import { toast } from "../../ui/toast.tsx";
import { proveWallet } from "../../wallet/lazy/island.tsx";
import { withConfirmation } from "../account/confirm/with-confirmation.ts";
import { api } from "../api.ts";
import { storeSwitch } from "./stored-switch.ts";

/** The texts for a rejected signed message, for errors that a retry cannot fix. */
const refusals: Record<string, MessageKey> = {
  // The dialog that the reader closed has loaded this text.
  confirmation_required: "security.notConfirmed",
  conflict: "dialog.refused.conflict",
  identity_required: "dialog.refused.identity",
  login_failed: "dialog.refused.unlinked",
  record_differs: "dialog.refused.record",
  too_many_requests: "dialog.refused.tooMany",
};

/** The reason as text. Null for an error that a retry may fix. Requires the texts of `dialog`. */
export function refusalText(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("error_code" in error)) return null;
  const replaced = "details" in error && isAbout(error.details, "wallet");
  const key = replaced ? "dialog.refused.replaced" : refusals[String(error.error_code)];
  return key === undefined ? null : t(key);
}

function isAbout(details: unknown, path: string): boolean {
  return Array.isArray(details) && details.some((detail) => detail?.path === path);
}

/**
 * Asks the visitor's wallet to sign the server's message in the kit's sign-in dialog. Resolves to the server's
 * response, or to null if the visitor cancelled. The dialog shows the specification's text for a failed step; if the
 * server rejected the message for good, a toast explains why. Never throws.
 * @param switchFrom the wallet that the new one replaces. The signed message is then stored for that wallet, which
 *   submits it on chain.
 */
export async function prove(switchFrom?: string): Promise<Authenticated | null> {
  try {
    await loadTexts("wallet", "dialog");
  } catch (error) {
    reportFault("wallet", error);
    toast({ title: t("shell.wallet.unreachable"), look: "error" });
    return null;
  }
  let answer: Authenticated | null = null;
  let prepared: { to: `0x${string}`; expires: number } | null = null;
  try {
    await proveWallet({
      prepare: async (address, chainId) => {
        const from = switchFrom === undefined ? {} : { switch_from: switchFrom };
        const { message, expires_at } = await api.getSignMessage({ address, chain_id: chainId, ...from });
        prepared = { to: address, expires: expires_at };
        return message;
      },
      verify: async (message, signature) => {
        try {
          answer = await withConfirmation(() => api.authenticate({ message, signature }));
          if (switchFrom !== undefined && prepared !== null)
            storeSwitch({ ...prepared, from: switchFrom as `0x${string}`, message, signature });
        } catch (error) {
          const reason = refusalText(error);
          if (reason !== null) toast({ title: reason, look: "error" });
          throw error;
        }
      },
    });
  } catch (error) {
    if (!isRefusal(error)) {
      reportFault("wallet", error);
      oops();
    }
  }
  return answer;
}

/** The specification's text for a failure outside the dialog's steps. */
export function oops() {
  toast({ title: t("dialog.oops"), look: "error" });
}
