import { useState } from "react";
import { t } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { disconnect } from "../../../wallet/lazy/island.ts";
import { switchChain } from "../../../wallet/lazy/operations.ts";
import { isRefusal } from "../../../wallet/lifecycle/refusal.ts";
import { attempt } from "./attempt.ts";

/** The wallet is on another network than the product. */
export function WrongNetwork({ chainId, network }: { chainId: number; network: string }) {
  const [failed, setFailed] = useState(false);
  const [busy, setBusy] = useState(false);
  async function change() {
    setBusy(true);
    try {
      await switchChain(chainId);
      setFailed(false);
    } catch (error) {
      setFailed(!isRefusal(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <Notice
      look="caution"
      title={t("transact.wrongNetwork.title")}
      actions={
        <>
          <Button size="small" busy={busy} onClick={change}>
            {t("transact.wrongNetwork.switch", { network })}
          </Button>
          <Button size="small" look="secondary" onClick={() => attempt(disconnect)}>
            {t("transact.wrongNetwork.disconnect")}
          </Button>
        </>
      }
    >
      <p>{t("transact.wrongNetwork.text")}</p>
      {failed && (
        <p role="alert" className="mt-1 text-negative">
          {t("wallet.switchUnsupported")}
        </p>
      )}
    </Notice>
  );
}
