import { useMemo } from "react";
import { formatAmount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Chart } from "../../ui/chart/chart.tsx";
import type { ChartSeries } from "../../ui/chart/types.ts";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { usePerformance } from "./performance.ts";
import { useRange } from "./range.ts";
import { RangeControl } from "./range-control.tsx";

const price = (value: string) => formatAmount(value, { digits: 6, minDigits: 4 });

/** Share price over a chosen range. */
export function PriceChart({ shortId, unit }: { shortId: string; unit: string }) {
  const [range, setRange] = useRange();
  const performance = usePerformance(shortId, range);
  const points = performance.data?.series;
  const name = t("products.sharePrice");
  const series = useMemo<ChartSeries[]>(
    () => [
      {
        name,
        colour: 1,
        area: true,
        points: (points ?? []).map((point) => ({ time: point.time, value: point.share_price })),
      },
    ],
    [points, name],
  );
  return (
    <Section title={t("products.sharePrice")} aside={<RangeControl value={range} onChange={setRange} />}>
      <div className="panel overflow-hidden pt-4" aria-busy={performance.isFetching}>
        {performance.isError && !performance.data ? (
          <div className="p-5 pt-1">
            <ErrorState error={performance.error} busy={performance.isFetching} onRetry={() => performance.refetch()} />
          </div>
        ) : !points ? (
          <Skeleton className="mx-5 mb-5 h-80" />
        ) : points.length < 2 ? (
          <Empty title={t("products.chart.empty")}>{t("products.chart.emptyText")}</Empty>
        ) : (
          <Chart title={t("products.chart.price", { unit })} series={series} format={price} />
        )}
      </div>
    </Section>
  );
}
