import type { Holding } from "@aqua/sdk/api/portfolio";
import { lazy, Suspense } from "react";
import { Link } from "react-router";
import { formatDate, formatRate, formatRelative, formatTerm } from "../../i18n/format.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useNow } from "../../ui/use-now.ts";
import { autoRollUntil } from "../transact/term/auto-roll.ts";
import { useLastingReceipts } from "../transact/term/use-lasting-receipts.ts";
import { verifyReceiptPath } from "../transparency/verify-path.ts";
import { holdingsPageSize, useHoldingsPage } from "./holdings.ts";
import { ListPanel } from "./list-panel.tsx";
import { NoPositions } from "./no-positions.tsx";
import { exitColumn, PositionName, positionKey, valueColumn } from "./position-cells.tsx";
import { readPage } from "./query.ts";
import type { Scope } from "./scope.ts";
import { useAddressBar } from "./use-address-bar.ts";

function Maturity({ row }: { row: Holding }) {
  const { receipt, maturity } = row;
  const now = useNow(10_000);
  if (!receipt || maturity === null) return "—";
  if (receipt.winding_down) return <Badge look="caution">{t("positions.time.windingDown")}</Badge>;
  return (
    <>
      {receipt.matured ? (
        <Badge look="positive">{t("positions.time.matured")}</Badge>
      ) : (
        <time dateTime={new Date(maturity).toISOString()} className="whitespace-nowrap">
          {formatDate(maturity)}
        </time>
      )}
      <span className="block text-12 text-muted">
        {receipt.roll !== "none" && (!receipt.matured || now <= autoRollUntil(maturity))
          ? t(`positions.time.roll.${receipt.roll}`)
          : receipt.matured
            ? t("positions.time.since", { date: formatDate(maturity) })
            : formatRelative(maturity)}
      </span>
    </>
  );
}

function columns(several: boolean): Column<Holding>[] {
  return [
    {
      key: "product",
      title: t("positions.time.deposit"),
      lead: true,
      render: (row) => (
        <>
          <PositionName
            position={row}
            detail={t("positions.time.number", { id: row.deposit_id ?? "" })}
            several={several}
          />
          <Link
            to={verifyReceiptPath(row.short_id, row.deposit_id ?? "")}
            className="link block w-fit text-12 font-normal"
          >
            {t("positions.verify")}
          </Link>
        </>
      ),
    },
    {
      key: "rate",
      title: t("positions.time.rate"),
      figure: true,
      render: (row) => (
        <>
          {formatRate(row.receipt?.rate)}
          {row.receipt && <span className="block font-sans text-12 text-muted">{formatTerm(row.receipt.term)}</span>}
        </>
      ),
    },
    {
      key: "principal",
      title: t("positions.time.principal"),
      figure: true,
      render: (row) => <Amount value={row.receipt?.principal} unit={row.symbol} mono />,
    },
    {
      key: "interest",
      title: t("positions.time.accrued"),
      figure: true,
      render: (row) => (
        <>
          <Amount value={row.interest} unit={row.symbol} tone="gain" mono />
          {row.receipt && !row.receipt.matured && !row.receipt.winding_down && (
            <span className="block font-sans text-12 text-muted">
              {t("positions.time.atMaturity")}{" "}
              <Amount value={row.receipt.interest_at_maturity} unit={row.symbol} rounding="down" mono />
            </span>
          )}
        </>
      ),
    },
    valueColumn(),
    exitColumn(),
    { key: "maturity", title: t("positions.time.maturity"), figure: true, render: (row) => <Maturity row={row} /> },
  ];
}

const ReceiptActions = lazy(() =>
  Promise.all([import("../transact/term/receipt-actions.tsx"), loadTexts("transact", "wallet")]).then(([module]) => ({
    default: module.ReceiptActions,
  })),
);

const none: readonly Holding[] = [];

/** Receipts of time deposits, each with its value, its early exit payout, and its maturity. */
export default function Time({ scope, own }: { scope: Scope; own: boolean }) {
  const [search, change] = useAddressBar();
  const page = readPage(search);
  const holdings = useHoldingsPage(scope, "time_deposit", page);
  const lasting = useLastingReceipts(holdings.data?.items ?? none, `${scope.address} ${scope.also.join()} ${page}`);
  const isUnlisted = (row: Holding) =>
    lasting.receipts.some(({ holding, isUnlisted: unlisted }) => unlisted && holding === row);
  return (
    <ListPanel query={holdings} rows={3}>
      {({ total }) =>
        total === 0 && lasting.receipts.length === 0 ? (
          <NoPositions type="time_deposit" own={own} />
        ) : (
          <>
            <Table
              caption={t("positions.tab.time")}
              columns={columns(scope.also.length > 0)}
              rows={own ? lasting.receipts.map(({ holding }) => holding) : (holdings.data?.items ?? none)}
              rowKey={positionKey}
              {...(own && {
                detail: (row: Holding) => (
                  <Suspense fallback={<Skeleton className="h-9 max-w-60" />}>
                    <ReceiptActions holding={row} isUnlisted={isUnlisted(row)} onRead={() => lasting.forget(row)} />
                  </Suspense>
                ),
              })}
            />
            {/* The pager leaves a last page that has become empty. It is rendered only after the outcomes of the
                closed receipts on that page are dismissed. */}
            {(holdings.data?.items.length !== 0 || lasting.receipts.length === 0) && (
              <Pager
                page={page}
                pageSize={holdingsPageSize}
                total={total}
                onChange={(next) => change({ page: next === 1 ? "" : String(next) })}
              />
            )}
          </>
        )
      }
    </ListPanel>
  );
}
