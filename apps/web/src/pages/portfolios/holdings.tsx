import type { Holding } from "@aqua/sdk/api/account";
import { Link } from "react-router";
import { sumAmounts } from "../../features/decimal.ts";
import type { useHoldings } from "../../features/portfolio/holdings.ts";
import { formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Amount } from "../../ui/amount.tsx";
import { buttonClasses } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";

function columns(): Column<Holding>[] {
  return [
    {
      key: "product",
      title: t("products.tx.product"),
      lead: true,
      render: (row) => (
        <>
          <Link to={paths.product(row.short_id)} className="link">
            {row.name}
          </Link>
          <span className="block text-12 font-normal text-muted">{t(`products.type.${row.type}`)}</span>
        </>
      ),
    },
    {
      key: "value",
      title: t("portfolio.value"),
      figure: true,
      render: (row) => <Amount value={row.value} unit={row.symbol} mono />,
    },
    {
      key: "exit",
      title: t("portfolio.exit"),
      figure: true,
      render: (row) => <Amount value={row.exit_value} unit={row.symbol} mono />,
    },
    {
      key: "cost",
      title: t("portfolio.cost"),
      figure: true,
      render: (row) => (
        <span title={row.cost_estimated ? t("portfolio.cost.estimated") : undefined}>
          {row.cost_estimated && "≈ "}
          <Amount value={row.principal} unit={row.symbol} mono />
        </span>
      ),
    },
    {
      key: "profit",
      title: t("portfolio.profit"),
      figure: true,
      render: (row) => (
        <Amount value={sumAmounts([row.realised, row.unrealised, row.interest])} unit={row.symbol} tone="gain" mono />
      ),
    },
    {
      key: "shares",
      title: t("portfolio.shares"),
      figure: true,
      render: (row) => <Amount value={row.shares} digits={4} mono />,
    },
    { key: "apy", title: t("products.apy"), figure: true, render: (row) => formatRate(row.apy) },
  ];
}

/** The stakes of a wallet, product by product. */
export function Holdings({ own, holdings }: { own: boolean; holdings: ReturnType<typeof useHoldings> }) {
  return (
    <Section title={t("portfolio.holdings")}>
      <div className="panel overflow-hidden">
        {holdings.isPending ? (
          <TableSkeleton rows={3} />
        ) : holdings.isError && !holdings.data ? (
          <div className="p-5">
            <ErrorState error={holdings.error} busy={holdings.isFetching} onRetry={() => holdings.refetch()} />
          </div>
        ) : holdings.data.items.length === 0 ? (
          <Empty
            title={t("portfolio.holdings.none")}
            actions={
              own && (
                <Link to={paths.products} className={buttonClasses()}>
                  {t("portfolio.holdings.explore")}
                </Link>
              )
            }
          >
            {t(own ? "portfolio.holdings.noneOwn" : "portfolio.holdings.noneOther")}
          </Empty>
        ) : (
          <Table
            caption={t("portfolio.holdings")}
            columns={columns()}
            rows={holdings.data.items}
            rowKey={(row) => `${row.chain_id}-${row.short_id}-${row.deposit_id ?? ""}`}
          />
        )}
      </div>
    </Section>
  );
}
