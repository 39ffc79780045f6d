import type { ProductDetail } from "@aqua/sdk/api/product";
import { findChain, localChain } from "@aqua/sdk/chains";
import { formatAmount, formatDateTime, shortenAddress } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { isZero } from "../../decimal.ts";
import { connectWallet, prefetchWallet } from "../../open-wallet.ts";
import { AccountNotice } from "./account-notice.tsx";
import type { Obstacle } from "./eligibility.ts";
import { faucetText } from "./faucet-card.tsx";
import { useFaucet } from "./use-faucet.ts";
import { WrongNetwork } from "./wrong-network.tsx";

interface ObstacleNoticeProps {
  obstacle: Obstacle;
  product: ProductDetail;
  address: `0x${string}` | null;
  /** True when the local chain's faucet is available. */
  faucet: boolean;
  /** Opens the connect dialog. */
  onConnect: () => void;
  onRetry: () => void;
  /** Reads account and wallet again. */
  onRefresh: () => void;
}

/** Explains why the visitor cannot act yet, and offers the one action that removes the obstacle. */
export function ObstacleNotice({
  obstacle,
  product,
  address,
  faucet,
  onConnect,
  onRetry,
  onRefresh,
}: ObstacleNoticeProps) {
  const values = {
    symbol: product.asset.symbol,
    network: findChain(product.chain_id)?.name ?? String(product.chain_id),
  };
  const local = faucet && product.chain_id === localChain.id;
  switch (obstacle.code) {
    case "notConnected":
      return <ConnectButton onConnect={onConnect} />;
    case "connecting":
      return (
        <Button wide size="large" busy>
          {t("transact.connecting")}
        </Button>
      );
    case "wrongNetwork":
      return <WrongNetwork chainId={product.chain_id} network={values.network} />;
    case "loading":
      return (
        <Button wide size="large" busy>
          {t("transact.reading")}
        </Button>
      );
    case "chainUnavailable":
      return (
        <Notice
          look="error"
          title={t("transact.obstacle.chainUnavailable", values)}
          actions={
            <Button size="small" look="secondary" onClick={onRetry}>
              {t("ui.retry")}
            </Button>
          }
        />
      );
    case "account":
      return <AccountNotice need={obstacle.need} onRefresh={onRefresh} />;
    case "noGas":
    case "noAssets":
      return (
        <Notice
          title={t(`transact.obstacle.${obstacle.code}.title`, values)}
          actions={local && <FaucetAction address={address} />}
        >
          {t(local ? "transact.obstacle.faucet" : `transact.obstacle.${obstacle.code}.text`, values)}
        </Notice>
      );
    case "closed":
      return (
        <Notice look="caution" title={t("transact.obstacle.closed.title")}>
          {withdrawalText(product)}
        </Notice>
      );
    case "paused":
    case "lossReview":
    case "afterLoss":
    case "evidenceLapsed":
      return (
        <Plain code={obstacle.code} values={{ until: formatDateTime(obstacle.until) }} more={withdrawalText(product)} />
      );
    case "reportOld":
      return (
        <Plain code="reportOld" values={{ since: formatDateTime(obstacle.since) }} more={withdrawalText(product)} />
      );
    case "termPaused":
    case "termLossReview":
    case "termEvidenceLapsed":
      return <Plain code={obstacle.code} values={{ until: formatDateTime(obstacle.until) }} />;
    case "notMatured":
      return <Plain code="notMatured" values={{ time: formatDateTime(obstacle.time) }} />;
    case "otherWallet":
      return <Plain code="otherWallet" values={{ holder: shortenAddress(obstacle.holder) }} />;
    case "noCash":
    case "noCashEarly":
      return (
        <Plain
          code={obstacle.code}
          values={{ ...values, needed: formatAmount(obstacle.needed), here: formatAmount(obstacle.here) }}
        />
      );
    case "rollCap":
    case "rollInterest":
    case "rollMinimum":
    case "rollNothing":
      return <Plain code={obstacle.code} values={{ ...values, room: formatAmount(obstacle.room) }} />;
    default:
      return <Plain code={obstacle.code} values={values} />;
  }
}

/**
 * How depositors can withdraw while deposits are closed. Without available cash, or while the report is late or a loss
 * is reviewed, the contract pays nothing at once and takes requests only.
 */
function withdrawalText(product: ProductDetail): string | null {
  if (!isZero(product.instant_capacity)) return t("transact.obstacle.withdraw.now");
  const queued = product.type === "demand_deposit" && product.vault.queue !== null;
  return queued ? t("transact.obstacle.withdraw.request") : null;
}

type PlainCode = Exclude<
  Obstacle["code"],
  | "closed"
  | "notConnected"
  | "connecting"
  | "wrongNetwork"
  | "loading"
  | "chainUnavailable"
  | "account"
  | "noGas"
  | "noAssets"
>;

/** Codes of normal states, which are not shown as problems. */
const calm: readonly PlainCode[] = [
  "nothingToWithdraw",
  "nothingToClaim",
  "nothingToDraw",
  "notMatured",
  "maturedAlready",
  "receiptGone",
];

function Plain({
  code,
  values,
  more = null,
}: {
  code: PlainCode;
  values: Record<string, string>;
  more?: string | null;
}) {
  return (
    <Notice look={calm.includes(code) ? "info" : "caution"} title={t(`transact.obstacle.${code}.title`, values)}>
      {[t(`transact.obstacle.${code}.text`, values), ...(more === null ? [] : [more])].join(" ")}
    </Notice>
  );
}

function ConnectButton({ onConnect }: { onConnect: () => void }) {
  return (
    <Button
      wide
      size="large"
      onPointerEnter={prefetchWallet}
      onFocus={prefetchWallet}
      onClick={() => {
        onConnect();
        connectWallet();
      }}
    >
      {t("transact.connect")}
    </Button>
  );
}

function FaucetAction({ address }: { address: `0x${string}` | null }) {
  const { stage, busy, getMoney } = useFaucet(address);
  return (
    <>
      <Button size="small" busy={busy} onClick={getMoney}>
        {t("transact.faucet.money")}
      </Button>
      <p role="status" className={stage.stage === "failed" ? "w-full text-negative" : "w-full text-muted"}>
        {faucetText(stage)}
      </p>
    </>
  );
}
