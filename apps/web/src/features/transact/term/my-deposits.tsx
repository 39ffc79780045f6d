import type { Holding } from "@aqua/sdk/api/portfolio";
import type { TimeDetail } from "@aqua/sdk/api/product";
import { formatDate, formatDateTime, formatRate, formatTerm } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { Amount } from "../../../ui/amount.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { autoRollUntil } from "./auto-roll.ts";
import { ReceiptActions } from "./receipt-actions.tsx";
import { useLastingReceipts } from "./use-lasting-receipts.ts";
import type { useReceipts } from "./use-term-position.ts";

interface MyDepositsProps {
  product: TimeDetail;
  owner: string | null;
  receipts: ReturnType<typeof useReceipts>;
  onOpen: () => void;
}

/** The connected wallet's receipts in this product, each with its actions. */
export function MyDeposits({ product, owner, receipts, onOpen }: MyDepositsProps) {
  const { holdings, isPending, isError, refetch } = receipts;
  const lasting = useLastingReceipts(holdings, `${product.short_id} ${owner ?? ""}`);
  const connected = owner !== null;
  if (connected && isPending) return <Skeleton className="h-40" />;
  if (isError && holdings.length === 0)
    return (
      <Notice
        look="error"
        title={t("transact.receipts.unavailable")}
        actions={
          <Button size="small" look="secondary" onClick={() => refetch()}>
            {t("ui.retry")}
          </Button>
        }
      />
    );
  if (lasting.receipts.length === 0)
    return (
      <Notice
        title={t(connected ? "transact.receipts.none" : "transact.receipts.notConnected")}
        actions={
          connected &&
          product.status === "open" && (
            <Button size="small" look="secondary" onClick={onOpen}>
              {t("transact.receipts.open")}
            </Button>
          )
        }
      />
    );
  return (
    <ul className="flex flex-col divide-y divide-line">
      {lasting.receipts.map(({ holding, isUnlisted }) => (
        <li key={holding.deposit_id} className="flex flex-col gap-3 py-5 first:pt-0 last:pb-0">
          <Receipt holding={holding} />
          <ReceiptActions holding={holding} isUnlisted={isUnlisted} onRead={() => lasting.forget(holding)} />
        </li>
      ))}
    </ul>
  );
}

function Receipt({ holding }: { holding: Holding }) {
  const { receipt, deposit_id, maturity, symbol, decimals } = holding;
  const now = useNow(10_000);
  if (receipt === null) return null;
  const rollUntil = receipt.matured && maturity !== null ? autoRollUntil(maturity) : null;
  const amount = (value: string | null) => <Amount value={value} unit={symbol} digits={decimals} minDigits={2} />;
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="text-16">{t("transact.receipt.title", { receipt: deposit_id ?? "" })}</h3>
        {receipt.winding_down ? (
          <Badge look="caution">{t("transact.receipt.windingDown")}</Badge>
        ) : receipt.matured ? (
          <Badge look="positive">{t("transact.receipt.matured")}</Badge>
        ) : (
          <span className="text-14 text-muted">{t("transact.receipt.until", { date: formatDate(maturity) })}</span>
        )}
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-14">
        <dt className="text-muted">{t("transact.receipt.principal")}</dt>
        <dd className="text-right">{amount(receipt.principal)}</dd>
        <dt className="text-muted">
          {t("transact.receipt.terms", { term: formatTerm(receipt.term), rate: formatRate(receipt.rate) })}
        </dt>
        <dd className="text-right">{receipt.winding_down ? "—" : amount(receipt.interest_at_maturity)}</dd>
        {receipt.roll !== "none" && !receipt.winding_down && (rollUntil === null || now <= rollUntil) && (
          <dd className="col-span-2 text-muted">
            {t(`transact.instruct.${receipt.roll}`)}
            {rollUntil !== null && ` ${t("transact.instruct.carryOut", { time: formatDateTime(rollUntil) })}`}
          </dd>
        )}
      </dl>
    </>
  );
}
