import type { Holding } from "@aqua/sdk/api/portfolio";
import { formatAmount, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Pager } from "../../ui/pager.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { isZero, sumAmounts } from "../decimal.ts";
import { holdingsPageSize, useHoldingsPage } from "./holdings.ts";
import { ListPanel } from "./list-panel.tsx";
import { NoPositions } from "./no-positions.tsx";
import {
  exitColumn,
  PositionActions,
  PositionName,
  positionKey,
  profitColumn,
  valueColumn,
} from "./position-cells.tsx";
import { readPage } from "./query.ts";
import type { Scope } from "./scope.ts";
import { useAddressBar } from "./use-address-bar.ts";

function pendingSharesText(row: Holding): string | undefined {
  return row.pending_shares && !isZero(row.pending_shares)
    ? t("positions.shares.pending", { shares: formatAmount(row.pending_shares, { digits: 4 }) })
    : undefined;
}

function columns(several: boolean, own: boolean): Column<Holding>[] {
  return [
    {
      key: "product",
      title: t("products.tx.product"),
      lead: true,
      render: (row) => <PositionName position={row} several={several} />,
    },
    valueColumn(),
    exitColumn(),
    {
      key: "cost",
      title: t("positions.cost"),
      figure: true,
      render: (row) => (
        <>
          {row.cost_estimated && "≈ "}
          <Amount value={row.principal} unit={row.symbol} mono />
          {row.cost_estimated && (
            <span className="ml-auto block max-w-48 font-sans text-12 font-normal whitespace-normal text-muted">
              {t("positions.cost.estimated")}
            </span>
          )}
        </>
      ),
    },
    profitColumn(),
    {
      key: "shares",
      title: t("positions.shares"),
      figure: true,
      render: (row) => (
        <>
          <Amount value={sumAmounts([row.shares, row.pending_shares])} digits={4} mono />
          {pendingSharesText(row) && (
            <span className="block font-sans text-12 text-muted">{pendingSharesText(row)}</span>
          )}
        </>
      ),
    },
    { key: "apy", title: t("products.apy"), figure: true, render: (row) => formatRate(row.apy) },
    ...(own
      ? [
          {
            key: "actions",
            title: t("positions.actions"),
            render: (row: Holding) => <PositionActions shortId={row.short_id} />,
          },
        ]
      : []),
  ];
}

/** Positions in demand deposits. */
export function Demand({ scope, own }: { scope: Scope; own: boolean }) {
  const [search, change] = useAddressBar();
  const page = readPage(search);
  const holdings = useHoldingsPage(scope, "demand_deposit", page);
  return (
    <ListPanel query={holdings} rows={3}>
      {({ items, total }) =>
        total === 0 ? (
          <NoPositions type="demand_deposit" own={own} />
        ) : (
          <>
            <Table
              caption={t("positions.tab.demand")}
              columns={columns(scope.also.length > 0, own)}
              rows={items}
              rowKey={positionKey}
            />
            <Pager
              page={page}
              pageSize={holdingsPageSize}
              total={total}
              onChange={(next) => change({ page: next === 1 ? "" : String(next) })}
            />
          </>
        )
      }
    </ListPanel>
  );
}
