import type { Range } from "@aqua/sdk/api/product";
import { useMemo } from "react";
import { formatAmount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import type { ChartMarker, ChartSeries } from "../../ui/chart/types.ts";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useIncomeSeries } from "../readings/income.ts";
import { figureText, metricName } from "../readings/reading-text.ts";
import { ChartPanel } from "./chart-panel.tsx";
import { isLoss, reportFlag } from "./report-flag.ts";

/**
 * The maximum number of reports that are drawn as two bars each, because a phone has no room for more. More reports are
 * drawn as two lines.
 */
const maxBars = 60;

/** Compares, for each report, the gain that the registers counted with the reported gain. */
export default function OutputChart({ shortId, unit, range }: { shortId: string; unit: string; range: Range }) {
  const answer = useIncomeSeries(shortId, range);
  const items = answer.data?.items;
  const metric = answer.data?.metric;
  const bars = (items?.length ?? 0) <= maxBars;
  const series = useMemo<ChartSeries[]>(
    () => [
      {
        name: t("readings.output.expected"),
        colour: 1,
        bars,
        points: (items ?? []).map(({ to, expected }) => ({ time: to, value: expected })),
      },
      {
        name: t("readings.output.reported"),
        colour: 2,
        bars,
        // Losses are left out, because a single loss can be as large as a year of gains and would flatten the bars.
        points: (items ?? []).map(({ to, delta }) => ({ time: to, value: isLoss(delta) ? null : delta })),
      },
    ],
    [items, bars],
  );
  const markers = useMemo<ChartMarker[]>(
    () =>
      (items ?? []).flatMap(({ to, counted, delta }) => [
        ...(counted === null || !metric
          ? []
          : [{ time: to, text: t("readings.output.counted", { figure: figureText(counted, metric.unit) }) }]),
        ...(isLoss(delta) ? [reportFlag(to, delta, unit)] : []),
      ]),
    [items, metric, unit],
  );
  if (!answer.data)
    return answer.isError ? (
      <div className="p-5">
        <ErrorState error={answer.error} busy={answer.isFetching} onRetry={() => answer.refetch()} />
      </div>
    ) : (
      <Skeleton className="h-96" />
    );
  if (!metric) return <Empty title={t("performance.devices.none")} />;
  return (
    <ChartPanel
      intro={t("readings.output.intro", { metric: metricName(metric.register) })}
      title={t("readings.output")}
      series={series}
      markers={markers}
      format={(value) => `${formatAmount(value, { digits: 2, minDigits: 0 })} ${unit}`}
      height={320}
      fromZero
    />
  );
}
