import type { DemandDetail } from "@aqua/sdk/api/product";
import { findChain } from "@aqua/sdk/chains";
import { useEffect, useRef } from "react";
import { formatAmount, shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useNow } from "../../ui/use-now.ts";
import { exactAmount } from "../../wallet/exact-amount.ts";
import type { TrackedTransaction } from "../../wallet/transactions.ts";
import { reasonText } from "./reasons.ts";
import type { ActionState } from "./use-action.ts";

/** Receipt wait of the specification: after it a pending transaction is said to be slow. */
const slowAfter = 300_000;

/** Where the action stands, read out politely as it changes. */
export function Progress({ action, product }: { action: ActionState; product: DemandDetail }) {
  const root = useRef<HTMLDivElement>(null);
  const step = action.transaction?.stage ?? action.stage.stage;
  useEffect(() => {
    if (step !== "idle") root.current?.scrollIntoView({ block: "nearest" });
  }, [step]);
  return (
    <div
      ref={root}
      role="status"
      aria-live="polite"
      aria-atomic="true"
      data-testid="action-progress"
      className="px-5 pb-5 empty:p-0"
    >
      <Current action={action} product={product} />
    </div>
  );
}

function Current({ action, product }: { action: ActionState; product: DemandDetail }) {
  const { stage, transaction } = action;
  const dismiss = (
    <Button size="small" look="secondary" onClick={action.dismiss}>
      {t("transact.dismiss")}
    </Button>
  );
  if (transaction !== null) {
    if (transaction.stage === "pending") return <Pending transaction={transaction} />;
    return <Settled transaction={transaction} product={product} actions={dismiss} />;
  }
  switch (stage.stage) {
    case "simulating":
      return <Step title={t("transact.stage.simulating")} />;
    case "signing":
      return (
        <Step
          title={t("transact.stage.signing")}
          text={t(`transact.signing.${stage.what}`, { product: product.name })}
        />
      );
    case "approving":
      return <Step title={t("transact.stage.approving")} text={t("transact.stage.approvingText")} />;
    case "failed":
      return (
        <Notice look="error" title={t("transact.stage.failed")} actions={dismiss}>
          {reasonText(stage.reason, product.asset.symbol)} {t("transact.stage.nothingMoved")}
        </Notice>
      );
    default:
      return null;
  }
}

function Step({ title, text }: { title: string; text?: string }) {
  return (
    <div className="flex gap-3 rounded-12 border border-line p-4 text-14">
      <Spinner className="mt-0.5 size-5 shrink-0 text-accent" />
      <div>
        <p className="font-strong">{title}</p>
        {text && <p className="text-muted">{text}</p>}
      </div>
    </div>
  );
}

function Pending({ transaction }: { transaction: TrackedTransaction }) {
  const now = useNow(10_000);
  const slow = now - transaction.sentAt > slowAfter;
  return (
    <div className="flex gap-3 rounded-12 border border-line p-4 text-14">
      <Spinner className="mt-0.5 size-5 shrink-0 text-accent" />
      <div className="min-w-0 flex-1">
        <p className="font-strong">{t("transact.stage.pending")}</p>
        <p>{transaction.description}</p>
        <p className="text-muted">{t(slow ? "transact.stage.slow" : "transact.stage.pendingText")}</p>
        <Hash transaction={transaction} />
      </div>
    </div>
  );
}

interface SettledProps {
  transaction: TrackedTransaction;
  product: DemandDetail;
  actions: React.ReactNode;
}

function Settled({ transaction, product, actions }: SettledProps) {
  const symbol = transaction.symbol ?? product.asset.symbol;
  const values = {
    amount: exactAmount(transaction.amount ?? "0", transaction.assetDecimals),
    symbol,
    shares: formatAmount(transaction.shares, { digits: 6, minDigits: 2 }),
    share: product.share.symbol,
    hash: transaction.replacedBy === null ? "" : shortenAddress(transaction.replacedBy),
  };
  if (transaction.stage === "confirmed") {
    const deposited = transaction.kind === "deposit";
    return (
      <Notice
        look="success"
        title={t(deposited ? "transact.done.deposit.title" : "transact.done.withdraw.title", values)}
        actions={actions}
      >
        <p>{t(deposited ? "transact.done.deposit.text" : "transact.done.withdraw.text", values)}</p>
        {deposited && <p>{t(isStreaming(product) ? "transact.done.earning" : "transact.done.earningLater")}</p>}
        <Hash transaction={transaction} />
      </Notice>
    );
  }
  if (transaction.stage === "replaced") {
    return (
      <Notice look="caution" title={t("transact.done.replaced.title")} actions={actions}>
        <p>
          {t(transaction.replacedBy === null ? "transact.done.replaced.text" : "transact.done.replaced.by", values)}
        </p>
        <Hash transaction={transaction} />
      </Notice>
    );
  }
  return (
    <Notice look="error" title={t("transact.done.failed.title")} actions={actions}>
      <p>
        {transaction.reason !== null && reasonText(transaction.reason, symbol)} {t("transact.done.failed.text")}
      </p>
      <Hash transaction={transaction} />
    </Notice>
  );
}

/** Whether reported income is still streaming in, so that new shares earn at once. */
function isStreaming(product: DemandDetail): boolean {
  return product.vault.stream_end > Date.now() && Number(product.vault.streaming) > 0;
}

function Hash({ transaction }: { transaction: TrackedTransaction }) {
  const explorer = findChain(transaction.chainId)?.explorer ?? null;
  const short = shortenAddress(transaction.hash);
  return (
    <p className="mt-1 flex items-center gap-1 font-mono text-12">
      {explorer === null ? (
        short
      ) : (
        <a className="link" href={`${explorer}/tx/${transaction.hash}`} target="_blank" rel="noreferrer">
          {short}
        </a>
      )}
      <CopyButton text={transaction.hash} what={t("transact.hash")} />
    </p>
  );
}
