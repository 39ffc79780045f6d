import type { Recovery } from "@aqua/sdk/api/transparency";
import { formatDateTime, shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { performVeto } from "../../wallet/lazy/operations.ts";
import { useWallet } from "../../wallet/store.ts";
import { chainName } from "../products/product-labels.ts";
import { WrongNetwork } from "../transact/eligibility/wrong-network.tsx";
import { Progress } from "../transact/progress/progress.tsx";
import { useAction } from "../transact/progress/use-action.ts";
import { useRecoveries } from "./recoveries.ts";

/** On every page: somebody has proposed to replace the connected wallet, which can stop it with one press. */
export default function RecoveryBanner({ wallet }: { wallet: `0x${string}` }) {
  const { recoveries = [] } = useRecoveries(wallet).data ?? {};
  return (
    <div className="page flex flex-col gap-3 empty:hidden">
      {recoveries.map((recovery) => (
        <OneRecovery key={recovery.chain_id} recovery={recovery} wallet={wallet} />
      ))}
    </div>
  );
}

function OneRecovery({ recovery, wallet }: { recovery: Recovery; wallet: `0x${string}` }) {
  const { chainId } = useWallet();
  const { chain_id, registry, successor, executable_at, expires_at } = recovery;
  const scope = `veto/${chain_id}/${recovery.hash}`;
  const action = useAction({ scope, shortId: null, chainId: chain_id, address: wallet });
  const values = {
    wallet: shortenAddress(wallet),
    successor: shortenAddress(successor),
    time: formatDateTime(executable_at),
    end: formatDateTime(expires_at),
  };
  const veto = () =>
    action.start((report) =>
      performVeto({ chainId: chain_id, registry: registry as `0x${string}`, wallet }, scope, report),
    );
  const done = action.transaction?.stage === "confirmed";
  return (
    <section aria-label={t("recovery.title", values)} data-testid="recovery" className="flex flex-col gap-3 pt-4">
      {!done && (
        <Notice
          look="error"
          live="alert"
          title={t("recovery.title", values)}
          actions={
            chainId === chain_id && (
              <Button size="small" busy={action.busy} onClick={() => void veto()}>
                {t("recovery.veto")}
              </Button>
            )
          }
        >
          <p>{t("recovery.text", values)}</p>
          <p>{t("recovery.veto.text")}</p>
        </Notice>
      )}
      {!done && chainId !== chain_id && <WrongNetwork chainId={chain_id} network={chainName(chain_id)} />}
      <Progress action={action} product={null} />
    </section>
  );
}
