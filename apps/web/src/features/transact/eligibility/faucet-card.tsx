import { localChain } from "@aqua/sdk/chains";
import { formatAmount } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { useWallet } from "../../../wallet/store.ts";
import { useNetwork } from "../../network.ts";
import { connectWallet, prefetchWallet } from "../../open-wallet.ts";
import { type FaucetStage, useFaucet } from "./use-faucet.ts";

/** Provides test dollars and gas for the visitor's own wallet on the local chain. Renders nothing on other chains. */
export function FaucetCard() {
  const { data: network } = useNetwork();
  const { address } = useWallet();
  const { stage, busy, getMoney } = useFaucet(address);
  const local = network?.chains.some((chain) => chain.chain_id === localChain.id);
  if (network?.faucet !== true || !local) return null;

  return (
    <section aria-labelledby="faucet-title" className="panel flex flex-col gap-4 p-5">
      <div>
        <h2 id="faucet-title" className="text-16">
          {t("transact.faucet.title")}
        </h2>
        <p className="mt-1 text-14 text-muted">{t("transact.faucet.text")}</p>
      </div>
      {address === null ? (
        <Button look="secondary" onPointerEnter={prefetchWallet} onFocus={prefetchWallet} onClick={connectWallet}>
          {t("transact.connect")}
        </Button>
      ) : (
        <div className="flex flex-col gap-2 md:items-start">
          <Button look="secondary" busy={busy} onClick={getMoney}>
            {t("transact.faucet.money")}
          </Button>
          <p role="status" className={stage.stage === "failed" ? "text-14 text-negative" : "text-14 text-muted"}>
            {faucetText(stage)}
          </p>
        </div>
      )}
    </section>
  );
}

/** The faucet's current step as text; empty when idle. */
export function faucetText(stage: FaucetStage): string {
  switch (stage.stage) {
    case "idle":
      return "";
    case "asking":
      return t("transact.faucet.asking");
    case "pending":
      return t("transact.faucet.pending");
    case "done":
      return t("transact.faucet.sent", {
        assets: formatAmount(stage.sent.assets),
        gas: formatAmount(stage.sent.gas),
      });
    case "failed":
      return stage.message === ""
        ? t("transact.faucet.failed")
        : t("transact.faucet.failedWith", { message: stage.message });
  }
}
