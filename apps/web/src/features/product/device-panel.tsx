import type { Device } from "@aqua/sdk/api/telemetry";
import { Download } from "lucide-react";
import { useMemo } from "react";
import { formatDate, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { now } from "../../server-clock.ts";
import { Button } from "../../ui/button.tsx";
import { Chart } from "../../ui/chart/chart.tsx";
import type { ChartSeries } from "../../ui/chart/types.ts";
import { useDownload } from "../../ui/download.ts";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { api } from "../api.ts";
import { useContentLanguage } from "../content-language.ts";
import { Intervals } from "../readings/intervals.tsx";
import { metricName, shortFigure, trustText } from "../readings/reading-text.ts";
import { flawsOf, pointsOf, seriesQuery, useSeries } from "../readings/series.ts";
import { type Span, spanNames } from "../readings/span.ts";
import { LatestReadings } from "./latest-readings.tsx";

interface PanelProps {
  device: Device;
  span: Span;
  onSpan: (span: Span) => void;
}

/**
 * Charts a device's readings over a span: a gauge as a line in its band, a register as the amount counted in each step.
 */
function ReadingsChart({ device, span }: { device: Device; span: Span }) {
  const answer = useSeries(device, span);
  const series = answer.data?.devices.find(({ name }) => name === device.name);
  const { kind, unit } = device;
  const name =
    kind === "register" ? t("readings.counted", { metric: metricName(device.metric) }) : metricName(device.metric);
  const lines = useMemo<ChartSeries[]>(
    () => [
      {
        name,
        colour: 1,
        bars: kind === "register",
        points: answer.data && series ? pointsOf(series, answer.data) : [],
      },
    ],
    [answer.data, series, kind, name],
  );
  const flags = useMemo(() => (series ? flawsOf(series) : []), [series]);
  if (answer.isPending) return <Skeleton className="mx-5 mb-5 h-91" />;
  if (answer.isError && !answer.data)
    return (
      <div className="px-5 pb-5">
        <ErrorState
          title={t("readings.series.failed")}
          error={answer.error}
          busy={answer.isFetching}
          onRetry={() => answer.refetch()}
        />
      </div>
    );
  if (lines.every((line) => line.points.every((point) => point.value === null)))
    return <Empty title={t("readings.series.empty")}>{t("readings.series.emptyText")}</Empty>;
  return (
    <div aria-busy={answer.isPlaceholderData || undefined}>
      <Chart
        title={t("readings.chart", { metric: name, place: device.place })}
        series={lines}
        markers={flags}
        {...(answer.data.resolution === "day" && { periods: "day" })}
        format={(value) => shortFigure(value, unit)}
      />
    </div>
  );
}

/** Downloads all readings of the span as CSV. */
function CsvButton({ device, span }: { device: Device; span: Span }) {
  const lang = useContentLanguage();
  const { state, download } = useDownload(`aqua-${device.short_id}-${device.name}-${span}.csv`, () =>
    api.readingsFile(device.short_id, { ...seriesQuery(device, span, now()), lang }),
  );
  return (
    <>
      {state === "failed" && (
        <span role="alert" className="text-14 text-negative">
          {t("readings.csv.failed")}
        </span>
      )}
      <Button
        size="small"
        look="secondary"
        busy={state === "busy"}
        onClick={download}
        icon={<Download aria-hidden="true" className="size-4" strokeWidth={1.75} />}
      >
        {t("readings.csv")}
      </Button>
    </>
  );
}

/** Shows how reliable the device's data is: who protects its key, and how many readings were received and valid. */
function Health({ device }: { device: Device }) {
  const { key, quality } = device;
  const unknown = (reason: string) => <Unknown reason={device.withheld ? t("ui.withheld") : reason} />;
  return (
    <dl className="grid gap-x-6 gap-y-5 border-t border-line p-5 sm:grid-cols-2">
      <Figure size="small" label={t("readings.trust")} note={t(`readings.trust.${device.trust}.text`)}>
        <span className="wrap-anywhere">{trustText(device)}</span>
      </Figure>
      <Figure
        size="small"
        label={t("readings.quality")}
        note={
          quality.score === null
            ? undefined
            : quality.reasons.length === 0
              ? t("readings.quality.all")
              : quality.reasons
                  .map(({ reason, share }) =>
                    t(`readings.quality.${reason}`, { share: formatRate(share, { digits: 1 }) }),
                  )
                  .join(" · ")
        }
      >
        {quality.score === null ? unknown(t("readings.quality.none")) : formatRate(quality.score, { digits: 1 })}
      </Figure>
      <Figure size="small" label={t("readings.availability")} note={t("readings.availability.note")}>
        {device.availability === null
          ? unknown(t("readings.availability.none"))
          : formatRate(device.availability, { digits: 1 })}
      </Figure>
      <Figure
        size="small"
        label={t("readings.key")}
        note={key && t("readings.key.since", { date: formatDate(key.valid_from * 1000) })}
      >
        {key ? t(`readings.key.${key.kind}`) : unknown(t("readings.key.none"))}
      </Figure>
      <Figure size="small" label={t("readings.device")} note={device.model}>
        <span className="font-mono wrap-anywhere">{device.name}</span>
      </Figure>
      <Intervals device={device} />
    </dl>
  );
}

/** All details of a device: a chart of its readings, its health, and its latest readings with a way to verify them. */
export function DevicePanel({ device, span, onSpan }: PanelProps) {
  return (
    <section aria-label={device.place} className="panel min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-3 p-5 pb-4">
        <div className="min-w-0">
          <h3 className="text-16 wrap-anywhere">{device.place}</h3>
          <p className="text-12 text-muted">
            {t(`readings.kind.${device.kind}`, { metric: metricName(device.metric) })}
          </p>
        </div>
        <Segmented
          label={t("readings.span")}
          value={span}
          onChange={onSpan}
          options={spanNames.map((value) => ({ value, label: t(`readings.span.${value}`) }))}
        />
      </div>
      <ReadingsChart device={device} span={span} />
      <div className="flex flex-wrap items-center justify-end gap-3 border-t border-line px-5 py-3">
        <CsvButton device={device} span={span} />
      </div>
      <Health device={device} />
      <LatestReadings device={device} />
    </section>
  );
}
