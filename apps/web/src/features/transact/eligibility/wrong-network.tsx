import { isRefusal } from "@aqua/sdk/chain/wallet-errors";
import { useState } from "react";
import { t } from "../../../i18n/i18n.ts";
import type { MessageKey } from "../../../i18n/keys.ts";
import { reportFault } from "../../../report-error.ts";
import { isMissingChunk } from "../../../ui/boundary.tsx";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { disconnect } from "../../../wallet/lazy/island.tsx";
import { switchChain } from "../../../wallet/lazy/operations.ts";
import { attempt } from "./attempt.ts";

/** Notice that the wallet is on a network other than the product's. */
export function WrongNetwork({ chainId, network }: { chainId: number; network: string }) {
  const [failed, setFailed] = useState<MessageKey | null>(null);
  const [busy, setBusy] = useState(false);
  async function change() {
    setBusy(true);
    try {
      await switchChain(chainId);
      setFailed(null);
    } catch (error) {
      reportFault("wallet", error);
      // Covers two failures: the wallet's code did not load, or the server did not return the list of networks. The
      // failed server call throws no Error.
      const isUnreachable = !(error instanceof Error) || isMissingChunk(error);
      setFailed(isRefusal(error) ? null : isUnreachable ? "transact.walletUnreachable" : "wallet.switchUnsupported");
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
          {t(failed)}
        </p>
      )}
    </Notice>
  );
}
