import type { Liquidity } from "@aqua/sdk/api/product";
import { useMemo } from "react";
import { useParams } from "react-router";
import { shareOf } from "../../features/decimal.ts";
import { useLiquidity } from "../../features/products/liquidity.ts";
import { ProductFrame } from "../../features/products/product-frame.tsx";
import { formatAmount, formatDate, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Chart } from "../../ui/chart/chart.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Gauge } from "../../ui/gauge.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Day = Liquidity["history"][number];

export default function LiquidityPage() {
  const { shortId = "" } = useParams();
  return (
    <ProductFrame
      shortId={shortId}
      title={t("liquidity.title")}
      pageTitle={(name) => t("liquidity.pageTitle", { name })}
      answer={useLiquidity(shortId)}
      failed={t("liquidity.failed")}
      skeleton={
        <>
          <Skeleton className="h-44 rounded-12" />
          <Skeleton className="h-96 rounded-12" />
        </>
      }
    >
      {(liquidity, unit) => (
        <>
          <Capacity liquidity={liquidity} unit={unit} />
          <History history={liquidity.history} unit={unit} />
        </>
      )}
    </ProductFrame>
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
