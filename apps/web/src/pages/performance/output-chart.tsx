import type { Range } from "@aqua/sdk/api/product";
import { useMemo } from "react";
import { aboveText, isAbove, useIncomeSeries } from "../../features/readings/income.ts";
import { figureText, metricName } from "../../features/readings/reading-text.ts";
import { formatAmount, formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import type { ChartMarker, ChartSeries } from "../../ui/chart/types.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ChartPanel } from "./chart-panel.tsx";
import { isLoss, reportFlag } from "./report-flag.ts";

/**
 * Above this number of reports two bars each do not fit on a phone, so lines are drawn, which diverge where the two
 * differ.
 */
const mostBars = 60;

/**
 * For each report the gain by the registers, and the reported one; those that claim more than the registers counted are
 * named with the reason. Renders nothing where no register measures income.
 */
export default function OutputChart({ shortId, unit, range }: { shortId: string; unit: string; range: Range }) {
  const answer = useIncomeSeries(shortId, range);
  const items = answer.data?.items;
  const metric = answer.data?.metric;
  const bars = (items?.length ?? 0) <= mostBars;
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
        // Losses are left out: a single one can be as large as a year of gains and would flatten their bars.
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
  const heading = t("readings.output");
  if (!answer.data)
    return (
      <Section title={heading}>
        {answer.isError ? (
          <ErrorState error={answer.error} busy={answer.isFetching} onRetry={() => answer.refetch()} />
        ) : (
          <Skeleton className="h-80 rounded-12" />
        )}
      </Section>
    );
  if (!metric) return null;
  const above = (items ?? []).filter(isAbove);
  return (
    <>
      <ChartPanel
        heading={heading}
        intro={t("readings.output.intro", { metric: metricName(metric.register) })}
        title={heading}
        series={series}
        markers={markers}
        format={(value) => `${formatAmount(value, { digits: 2, minDigits: 0 })} ${unit}`}
        height={240}
        fromZero
      />
      {above.map((item) => (
        <Notice key={item.hash} look="caution" title={t("readings.above", { date: formatDate(item.to) })}>
          {aboveText(item, unit, metric.unit)}
        </Notice>
      ))}
    </>
  );
}
