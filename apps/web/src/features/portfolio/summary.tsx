import type { TotalProfit } from "@aqua/sdk/api/portfolio";
import type { Range } from "@aqua/sdk/api/product";
import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "react-router";
import { formatAmount, formatDate, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Chart } from "../../ui/chart/chart.tsx";
import type { ChartSeries } from "../../ui/chart/types.ts";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { api } from "../api.ts";
import { isZero } from "../decimal.ts";
import { freshness } from "../freshness.ts";
import { RangeControl } from "../products/range-control.tsx";
import { Allocation } from "./allocation.tsx";
import { ProfitIdentity } from "./profit-identity.tsx";
import { readRange, tabFilters } from "./query.ts";
import { alsoQuery, type Scope, scopeKey } from "./scope.ts";
import { SummarySkeleton } from "./skeletons.tsx";
import { useAddressBar } from "./use-address-bar.ts";
import { useTotalHoldValue } from "./value.ts";

function totalProfitOptions(address: string | null, range: Range, also: readonly string[] = []) {
  return queryOptions({
    queryKey: [...scopeKey(address, also, "profit"), range],
    queryFn: address ? ({ signal }) => api.totalProfit(address, { range, ...alsoQuery(also) }, signal) : skipToken,
    // The previous line stays visible while another range of the same wallets loads.
    placeholderData: (previous, query) =>
      query?.queryKey.slice(0, -1).join() === scopeKey(address, also, "profit").join() ? previous : undefined,
    ...freshness.EAGER,
  });
}

/** A wallet's profit, split into its parts, with its history over `range`. */
function useTotalProfit(address: string | null, range: Range, also: readonly string[] = []) {
  return useQuery(totalProfitOptions(address, range, also));
}

/** Shows value, exit value, profit and their history for one wallet or several together. */
export function Summary({ scope: { address, also } }: { scope: Scope }) {
  const [search, change] = useAddressBar();
  const range = readRange(search);
  const value = useTotalHoldValue(address, also);
  const profit = useTotalProfit(address, range, also);

  const failed = value.isError && !value.data ? value : profit.isError && !profit.data ? profit : null;
  if (failed)
    return (
      <ErrorState
        title={t("positions.failed")}
        error={failed.error}
        busy={failed.isFetching}
        onRetry={() => {
          value.refetch();
          profit.refetch();
        }}
      />
    );
  if (!value.data || !profit.data) return <SummarySkeleton />;

  // The link preserves the choice of wallets, which is also in the address.
  const requests = new URLSearchParams(search);
  for (const name of tabFilters) requests.delete(name);
  requests.set("tab", "requests");
  const { unit, exit_value, claimable, next_cash } = value.data;
  // The two responses may be of different blocks. The displayed value comes from the profit response, because the
  // formula below uses it.
  const as_of = profit.data.as_of.block < value.data.as_of.block ? profit.data.as_of : value.data.as_of;
  return (
    <>
      {as_of.stale && (
        <Notice look="caution" title={t("products.stale.title")}>
          {t("products.stale.text")}
        </Notice>
      )}
      <div className="panel">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-6 p-5 md:grid-cols-4 md:p-6">
          <Figure label={t("positions.value")} size="large" className="col-span-2">
            <Amount value={profit.data.value} unit={unit} live className="text-28 sm:text-44" />
          </Figure>
          <Figure label={t("positions.profit")} size="large" note={t("positions.profit.note")}>
            <Amount value={profit.data.total} unit={unit} tone="gain" live />
          </Figure>
          <Figure label={t("positions.return")} size="large" note={t("positions.return.note")}>
            {profit.data.money_weighted_return === null ? (
              <Unknown reason={t("positions.return.none")} />
            ) : (
              formatRate(profit.data.money_weighted_return, { signed: true })
            )}
          </Figure>
          <Figure label={t("positions.exit")} size="small" note={t("positions.exit.note")}>
            <Amount value={exit_value} unit={unit} rounding="down" live />
          </Figure>
          <Figure label={t("positions.netDeposits")} size="small" note={t("positions.netDeposits.note")}>
            <Amount value={profit.data.net_deposits} unit={unit} />
          </Figure>
          <Figure label={t("positions.claimable")} size="small" note={t("positions.claimable.note")}>
            {isZero(claimable) ? (
              <Amount value={claimable} unit={unit} rounding="down" />
            ) : (
              <Link to={`?${requests}`} className="link">
                <Amount value={claimable} unit={unit} rounding="down" />
              </Link>
            )}
          </Figure>
          <Figure label={t("positions.nextCash")} size="small" note={next_cash && formatDate(next_cash.time)}>
            {next_cash ? (
              <Amount value={next_cash.amount} unit={unit} rounding="down" />
            ) : (
              <Unknown reason={t("positions.nextCash.none")} />
            )}
          </Figure>
        </dl>
        <ProfitIdentity profit={profit.data} unit={unit} />
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 md:px-6">
          <p className="text-12 text-muted">{t("positions.valueExplain")}</p>
          <Stamp block={as_of.block} time={as_of.time} stale={as_of.stale} />
        </div>
      </div>
      <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_320px]">
        <ValueChart
          profit={profit.data}
          unit={unit}
          range={range}
          onRange={(next) => change({ range: next === "all" ? "" : next })}
        />
        <Allocation value={value.data} />
      </div>
    </>
  );
}

const money = (value: string) => formatAmount(value);

interface ValueChartProps {
  profit: TotalProfit;
  unit: string;
  range: Range;
  onRange: (range: Range) => void;
}

function ValueChart({ profit, unit, range, onRange }: ValueChartProps) {
  const { series } = profit;
  const lines = useMemo<ChartSeries[]>(
    () => [
      {
        name: t("positions.value"),
        colour: 1,
        area: true,
        points: series.map((point) => ({ time: point.time, value: point.value })),
      },
      {
        name: t("positions.netDeposits"),
        colour: 2,
        steps: true,
        points: series.map((point) => ({ time: point.time, value: point.net_deposits })),
      },
    ],
    [series],
  );
  return (
    <Section title={t("positions.chart")} aside={<RangeControl value={range} onChange={onRange} />}>
      <div className="panel overflow-hidden pt-4">
        {series.length < 2 ? (
          <Empty title={t("products.chart.empty")}>{t("positions.chart.empty")}</Empty>
        ) : (
          <Chart title={t("positions.chart.title", { currency: unit })} series={lines} format={money} height={300} />
        )}
      </div>
    </Section>
  );
}
