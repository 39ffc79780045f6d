import type { Holding, TotalProfit } from "@aqua/sdk/api/account";
import type { Range } from "@aqua/sdk/api/product";
import { useMemo, useState } from "react";
import { sumAmounts } from "../../features/decimal.ts";
import { useTotalProfit } from "../../features/portfolio/profit.ts";
import { useTotalHoldValue } from "../../features/portfolio/value.ts";
import { RangeControl } from "../../features/products/range-control.tsx";
import { formatAmount, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Chart, type ChartSeries } from "../../ui/chart/chart.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { ProfitIdentity } from "./profit-identity.tsx";
import { SummarySkeleton } from "./skeletons.tsx";

/** Value, exit value, profit and their history. `holdings` is undefined while it loads. */
export function Summary({ address, holdings }: { address: string; holdings: Holding[] | undefined }) {
  const [range, setRange] = useState<Range>("all");
  const value = useTotalHoldValue(address);
  const profit = useTotalProfit(address, range);

  const failed = value.isError && !value.data ? value : profit.isError && !profit.data ? profit : null;
  if (failed)
    return (
      <ErrorState
        title={t("portfolio.failed")}
        error={failed.error}
        busy={failed.isFetching}
        onRetry={() => {
          value.refetch();
          profit.refetch();
        }}
      />
    );
  if (!value.data || !profit.data) return <SummarySkeleton />;

  const { currency, total, claimable, as_of } = value.data;
  const exit = holdings ? sumAmounts(holdings.map((holding) => holding.exit_value)) : null;
  return (
    <>
      {as_of.stale && (
        <Notice look="caution" title={t("products.stale.title")}>
          {t("products.stale.text")}
        </Notice>
      )}
      <div className="panel">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-6 p-5 md:grid-cols-4 md:p-6">
          <Figure label={t("portfolio.value")} size="large" className="col-span-2">
            <Amount value={total} unit={currency} live className="text-28 sm:text-44" />
          </Figure>
          <Figure label={t("portfolio.profit")} size="large" note={t("portfolio.profit.note")}>
            <Amount value={profit.data.total} unit={currency} tone="gain" live />
          </Figure>
          <Figure label={t("portfolio.return")} size="large" note={t("portfolio.return.note")}>
            {profit.data.money_weighted_return === null ? (
              <Unknown reason={t("portfolio.return.none")} />
            ) : (
              formatRate(profit.data.money_weighted_return, { signed: true })
            )}
          </Figure>
          <Figure label={t("portfolio.exit")} size="small" note={t("portfolio.exit.note")}>
            <Amount value={exit} unit={currency} live />
          </Figure>
          <Figure label={t("portfolio.netDeposits")} size="small" note={t("portfolio.netDeposits.note")}>
            <Amount value={profit.data.net_deposits} unit={currency} />
          </Figure>
          <Figure label={t("portfolio.claimable")} size="small" note={t("portfolio.claimable.note")}>
            <Amount value={claimable} unit={currency} />
          </Figure>
        </dl>
        <ProfitIdentity profit={profit.data} currency={currency} />
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 md:px-6">
          <p className="text-12 text-muted">{t("portfolio.valueExplain")}</p>
          <Stamp block={as_of.block} time={as_of.time} stale={as_of.stale} />
        </div>
      </div>
      <ValueChart profit={profit.data} currency={currency} range={range} onRange={setRange} />
    </>
  );
}

const money = (value: string) => formatAmount(value);

interface ValueChartProps {
  profit: TotalProfit;
  currency: string;
  range: Range;
  onRange: (range: Range) => void;
}

function ValueChart({ profit, currency, range, onRange }: ValueChartProps) {
  const { series } = profit;
  const lines = useMemo<ChartSeries[]>(
    () => [
      {
        name: t("portfolio.value"),
        colour: 1,
        area: true,
        points: series.map((point) => ({ time: point.time, value: point.value })),
      },
      {
        name: t("portfolio.netDeposits"),
        colour: 2,
        steps: true,
        points: series.map((point) => ({ time: point.time, value: point.net_deposits })),
      },
    ],
    [series],
  );
  return (
    <Section title={t("portfolio.chart")} aside={<RangeControl value={range} onChange={onRange} />}>
      <div className="panel overflow-hidden pt-4">
        {series.length < 2 ? (
          <Empty title={t("products.chart.empty")}>{t("portfolio.chart.empty")}</Empty>
        ) : (
          <Chart title={t("portfolio.chart.title", { currency })} series={lines} format={money} height={300} />
        )}
      </div>
    </Section>
  );
}
