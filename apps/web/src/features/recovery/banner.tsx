import type { Recovery } from "@aqua/sdk/api/transparency";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatDateTime, shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { performVeto } from "../../wallet/lazy/operations.ts";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";
import { Progress } from "../transact/progress/progress.tsx";
import { useAction } from "../transact/progress/use-action.ts";

/** Reads the open proposals to replace `wallet` by another wallet. */
function useRecoveries(wallet: string) {
  return useQuery(
    queryOptions({
      queryKey: [...queryKeys.account(wallet), "recoveries"] as const,
      queryFn: ({ signal }) => api.recoveries({ wallet }, signal),
      ...freshness.EAGER,
    }),
  );
}

/**
 * Shown on every page if a recovery is proposed for the connected wallet, which can stop it with one press. Only one
 * proposal is shown: the one that can be executed first, or the one whose veto is in progress.
 */
export default function RecoveryBanner({ wallet }: { wallet: `0x${string}` }) {
  const { recoveries = [] } = useRecoveries(wallet).data ?? {};
  const [vetoed, setVetoed] = useState<Recovery | null>(null);
  const [first] = recoveries.toSorted((a, b) => a.executable_at - b.executable_at);
  const displayed = vetoed ?? first;
  if (displayed === undefined) return null;
  return (
    <div className="page py-4">
      <OneRecovery
        key={`${displayed.chain_id}-${displayed.hash}`}
        recovery={displayed}
        wallet={wallet}
        onVeto={() => setVetoed(displayed)}
        onEnd={() => setVetoed(null)}
      />
    </div>
  );
}

interface OneRecoveryProps {
  recovery: Recovery;
  wallet: `0x${string}`;
  onVeto: () => void;
  /** Called when the veto has nothing left to show. */
  onEnd: () => void;
}

function OneRecovery({ recovery, wallet, onVeto, onEnd }: OneRecoveryProps) {
  const { chain_id, registry, successor, executable_at, expires_at } = recovery;
  const scope = `veto/${chain_id}/${recovery.hash}`;
  const action = useAction({ scope, shortId: null, chainId: chain_id, address: wallet });
  const values = {
    wallet: shortenAddress(wallet),
    successor: shortenAddress(successor),
    time: formatDateTime(executable_at),
    end: formatDateTime(expires_at),
  };
  const veto = () => {
    onVeto();
    return action.start(async (report) => {
      const order = { chainId: chain_id, registry: registry as `0x${string}`, wallet };
      const last = await performVeto(order, scope, report);
      // The visitor rejected the veto in the wallet. The proposal is unchanged or no longer exists.
      if (last.stage === "idle") onEnd();
      return last;
    });
  };
  const dismiss = () => {
    action.dismiss();
    onEnd();
  };
  return (
    <section aria-label={t("recovery.title", values)} data-testid="recovery" className="flex flex-col gap-3">
      {action.transaction?.stage !== "confirmed" && (
        <Notice
          look="error"
          live="alert"
          title={t("recovery.title", values)}
          actions={
            <Button size="small" busy={action.busy} onClick={() => void veto()}>
              {t("recovery.veto")}
            </Button>
          }
        >
          <p>{t("recovery.text", values)}</p>
          <p>{t("recovery.veto.text")}</p>
        </Notice>
      )}
      <Progress action={{ ...action, dismiss }} product={null} />
    </section>
  );
}
