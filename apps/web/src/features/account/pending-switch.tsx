import type { PendingSwitch } from "@aqua/sdk/api/security";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { formatDateTime, shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { reportFault } from "../../report-error.ts";
import { clearAll } from "../../stored-session.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { signText } from "../../wallet/lazy/operations.ts";
import { useWallet } from "../../wallet/store.ts";
import { api } from "../api.ts";
import { queryKeys } from "../query-keys.ts";
import { withConfirmation } from "./confirm/with-confirmation.ts";
import { failureText, type LazyText } from "./failure.ts";
import { Failure } from "./failure-notice.tsx";
import { useSecurity } from "./security.ts";

/** A switch of the account's wallet that can still be stopped, or confirmed by the former wallet's signature. */
export function PendingSwitchNotice() {
  const pending = useSecurity().data?.pending_switch ?? null;
  return pending && <Waiting key={pending.id} pending={pending} />;
}

/** A failed call throws no `Error`. An `Error` comes from the wallet, or from its code that did not load. */
function whyFailed(error: unknown): LazyText {
  if (!(error instanceof Error)) return failureText(error, { signature_invalid: () => t("security.switch.notSigned") });
  reportFault("wallet", error);
  return () => t("security.switch.noSignature");
}

function Waiting({ pending }: { pending: PendingSwitch }) {
  const { address } = useWallet();
  const queries = useQueryClient();
  const [busy, setBusy] = useState<"stop" | "sign" | null>(null);
  const [failure, setFailure] = useState<LazyText | null>(null);
  const former = shortenAddress(pending.from);
  const formerConnected = address?.toLowerCase() === pending.from.toLowerCase();

  async function run(which: "stop" | "sign", work: () => Promise<void>) {
    setBusy(which);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      const text = whyFailed(error);
      setFailure(() => text);
    } finally {
      setBusy(null);
    }
  }
  const stop = () =>
    run("stop", async () => {
      await withConfirmation(() => api.stopSwitch({}));
      toast({ title: t("security.stop.done"), look: "success" });
      // Stopping the switch has ended every session, including this one.
      clearAll();
    });
  const sign = () =>
    run("sign", async () => {
      const signature = await signText(pending.from as `0x${string}`, pending.consent);
      await withConfirmation(() => api.signSwitch({ signature }));
      toast({ title: t("security.switch.signed"), look: "success" });
      await queries.invalidateQueries({ queryKey: queryKeys.me });
    });

  return (
    <Notice
      look="caution"
      live="status"
      title={t("security.switch.title", {
        address: shortenAddress(pending.to),
        time: formatDateTime(pending.effective_time),
      })}
    >
      <p>{t("security.switch.text", { former })}</p>
      {!formerConnected && <p>{t("security.switch.connect", { address: former })}</p>}
      <Failure text={failure?.() ?? null} />
      <div className="mt-3 flex flex-wrap gap-3">
        {formerConnected && (
          <Button size="small" busy={busy === "sign"} onClick={() => void sign()}>
            {t("security.switch.sign", { address: former })}
          </Button>
        )}
        <Button look="danger" size="small" busy={busy === "stop"} onClick={() => void stop()}>
          {t("security.switch.stop")}
        </Button>
      </div>
    </Notice>
  );
}
