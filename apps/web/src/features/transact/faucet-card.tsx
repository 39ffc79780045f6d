import { localChain } from "@aqua/sdk/chains";
import { useQuery } from "@tanstack/react-query";
import { formatAmount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { openConnect } from "../../wallet/island.ts";
import { readStatus } from "../../wallet/operations.ts";
import { useWallet } from "../../wallet/store.ts";
import { freshness } from "../freshness.ts";
import { useNetwork } from "../network.ts";
import { queryKeys } from "../query-keys.ts";
import { attempt } from "./attempt.ts";
import { type FaucetStage, useFaucet } from "./use-faucet.ts";

/** On the local chain: test dollars, gas and a verified record for the visitor's own wallet. Renders nothing elsewhere. */
export function FaucetCard() {
  const { data: network } = useNetwork();
  const { address } = useWallet();
  const { money, record, getMoney, getRecord } = useFaucet(address);
  const local = network?.chains.find((chain) => chain.chain_id === localChain.id);
  const { data: status } = useQuery({
    queryKey: [...queryKeys.account(address ?? ""), "status", localChain.id],
    queryFn: () =>
      local && address ? readStatus(localChain.id, local.identity_registry as `0x${string}`, address) : null,
    enabled: local !== undefined && address !== null,
    retry: 1,
    ...freshness.LAZY,
  });
  if (network?.faucet !== true || local === undefined) return null;

  return (
    <section aria-labelledby="faucet-title" className="panel flex flex-col gap-4 p-5">
      <div>
        <h2 id="faucet-title" className="text-16">
          {t("transact.faucet.title")}
        </h2>
        <p className="mt-1 text-14 text-muted">{t("transact.faucet.text")}</p>
      </div>
      {address === null ? (
        <Button look="secondary" onClick={() => attempt(openConnect)}>
          {t("transact.connect")}
        </Button>
      ) : (
        <div className="grid gap-3 sm:grid-cols-2">
          <Step stage={money} onStart={getMoney} label={t("transact.faucet.money")} />
          {status === "verified" && record.stage !== "done" ? (
            <p className="self-start py-3 text-14 text-muted">{t("transact.faucet.alreadyVerified")}</p>
          ) : (
            <Step stage={record} onStart={getRecord} label={t("transact.faucet.record")} />
          )}
        </div>
      )}
    </section>
  );
}

function Step({ stage, onStart, label }: { stage: FaucetStage; onStart: () => void; label: string }) {
  const busy = stage.stage === "asking" || stage.stage === "signing" || stage.stage === "pending";
  return (
    <div className="flex flex-col gap-2">
      <Button look="secondary" busy={busy} onClick={onStart}>
        {label}
      </Button>
      <p role="status" className={stage.stage === "failed" ? "text-14 text-negative" : "text-14 text-muted"}>
        {faucetText(stage)}
      </p>
    </div>
  );
}

/** What the faucet is doing, in words; empty when idle. */
export function faucetText(stage: FaucetStage): string {
  switch (stage.stage) {
    case "idle":
      return "";
    case "asking":
      return t("transact.faucet.asking");
    case "signing":
      return t("transact.faucet.signing");
    case "pending":
      return t("transact.faucet.pending");
    case "done":
      return stage.sent === null
        ? t("transact.faucet.verified")
        : t("transact.faucet.sent", { assets: formatAmount(stage.sent.assets), gas: formatAmount(stage.sent.gas) });
    case "failed":
      return stage.message === ""
        ? t("transact.faucet.failed")
        : t("transact.faucet.failedWith", { message: stage.message });
  }
}
