import type { Liquidity } from "@aqua/sdk/api/product";
import { useMemo } from "react";
import { useParams } from "react-router";
import { shareOf } from "../../features/decimal.ts";
import { useProduct } from "../../features/products/detail.ts";
import { useLiquidity } from "../../features/products/liquidity.ts";
import { ProductGate } from "../../features/products/product-gate.tsx";
import { ProductHead } from "../../features/products/product-head.tsx";
import { formatAmount, formatDate, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { Amount } from "../../ui/amount.tsx";
import { Chart } from "../../ui/chart/chart.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Gauge } from "../../ui/gauge.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Day = Liquidity["history"][number];

export default function LiquidityPage() {
  const { shortId = "" } = useParams();
  const product = useProduct(shortId);
  const liquidity = useLiquidity(shortId);
  usePageTitle(product.data && t("liquidity.pageTitle", { name: product.data.name }));

  if (product.isError && product.data === undefined)
    return (
      <ProductGate
        shortId={shortId}
        error={product.error}
        busy={product.isFetching}
        onRetry={() => product.refetch()}
      />
    );
  const unit = product.data?.asset.symbol ?? "";
  return (
    <>
      <ProductHead shortId={shortId} product={product.data} title={t("liquidity.title")} />
      <div className="page flex flex-col gap-12 pt-8">
        {liquidity.isError && !liquidity.data ? (
          <ErrorState
            title={t("liquidity.failed")}
            error={liquidity.error}
            busy={liquidity.isFetching}
            onRetry={() => liquidity.refetch()}
          />
        ) : !liquidity.data ? (
          <>
            <Skeleton className="h-44 rounded-12" />
            <Skeleton className="h-96 rounded-12" />
          </>
        ) : (
          <>
            <Capacity liquidity={liquidity.data} unit={unit} />
            <History history={liquidity.data.history} unit={unit} />
          </>
        )}
      </div>
    </>
  );
}

/** What can leave in one transaction, and how much of the product that is. */
function Capacity({ liquidity, unit }: { liquidity: Liquidity; unit: string }) {
  const idle = shareOf(liquidity.idle, liquidity.total_assets);
  const idleText = formatRate(idle === null ? null : String(idle), { digits: 0 });
  return (
    <div className="panel">
      <div className="flex items-center gap-6 p-5 md:gap-10">
        <Gauge
          shape="vessel"
          label={t("liquidity.idleShare")}
          level={idle}
          text={t("liquidity.idleShareText", { share: idleText })}
        />
        <dl className="grid flex-1 gap-x-6 gap-y-5 sm:grid-cols-2 lg:grid-cols-4">
          <Figure label={t("liquidity.capacity")} size="large">
            <Amount value={liquidity.instant_capacity} unit={unit} />
          </Figure>
          <Figure label={t("liquidity.idle")}>
            <Amount value={liquidity.idle} unit={unit} />
          </Figure>
          <Figure label={t("liquidity.total")}>
            <Amount value={liquidity.total_assets} unit={unit} />
          </Figure>
          <Figure label={t("liquidity.idleShare")}>{idleText}</Figure>
        </dl>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3">
        <p className="max-w-[68ch] text-12 text-muted">{t("liquidity.explain")}</p>
        <Stamp block={liquidity.as_of.block} time={liquidity.as_of.time} stale={liquidity.as_of.stale} />
      </div>
    </div>
  );
}

const total = (value: string) => formatAmount(value, { digits: 0 });

function History({ history, unit }: { history: Day[]; unit: string }) {
  const series = useMemo(
    () => [
      {
        name: t("liquidity.total"),
        colour: 3 as const,
        points: history.map((day) => ({ time: day.time, value: day.total_assets })),
      },
      {
        name: t("liquidity.idle"),
        colour: 1 as const,
        area: true,
        points: history.map((day) => ({ time: day.time, value: day.idle })),
      },
    ],
    [history],
  );
  const moved = useMemo(
    () =>
      history
        .filter((day) => Number(day.deposits) > 0 || Number(day.withdrawals) > 0)
        .slice(-14)
        .reverse(),
    [history],
  );
  const columns: Column<Day>[] = [
    { key: "day", title: t("liquidity.day"), lead: true, render: (row) => formatDate(row.time) },
    {
      key: "in",
      title: t("liquidity.in"),
      figure: true,
      render: (row) => <Amount value={row.deposits} unit={unit} mono />,
    },
    {
      key: "out",
      title: t("liquidity.out"),
      figure: true,
      render: (row) => <Amount value={row.withdrawals} unit={unit} mono />,
    },
    {
      key: "idle",
      title: t("liquidity.idle"),
      figure: true,
      render: (row) => <Amount value={row.idle} unit={unit} mono />,
    },
  ];
  if (history.length < 2)
    return (
      <div className="panel">
        <Empty title={t("products.chart.empty")} />
      </div>
    );
  return (
    <>
      <Section title={t("liquidity.history")}>
        <div className="panel overflow-hidden pt-4">
          <Chart title={t("liquidity.chart", { unit })} series={series} format={total} height={320} />
        </div>
      </Section>
      <Section title={t("liquidity.flows")} intro={t("liquidity.flows.intro")}>
        <div className="panel overflow-hidden">
          {moved.length === 0 ? (
            <Empty title={t("products.transactions.none")} />
          ) : (
            <Table caption={t("liquidity.flows")} columns={columns} rows={moved} rowKey={(row) => String(row.time)} />
          )}
        </div>
      </Section>
    </>
  );
}
