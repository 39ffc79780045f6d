import type { Device, ReadingSeries } from "@aqua/sdk/api/telemetry";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { t } from "../../i18n/i18n.ts";
import { now as serverNow } from "../../server-clock.ts";
import type { ChartMarker, ChartPoint } from "../../ui/chart/types.ts";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { readingKeys } from "./keys.ts";
import { type Span, spans } from "./span.ts";

type DeviceSeries = ReadingSeries["devices"][number];
export type SeriesDevice = Pick<Device, "short_id" | "name" | "kind">;

/** The query for a chart that ends at `now` and covers `span`. */
export function seriesQuery({ name, kind }: SeriesDevice, span: Span, now: number) {
  const { length, [kind]: resolution } = spans[span];
  return { device: name, from: now - length, to: now, ...(resolution && { resolution }) };
}

function seriesOptions(device: SeriesDevice, span: Span) {
  return queryOptions({
    queryKey: readingKeys.series(device.short_id, device.name, span),
    queryFn: ({ signal }) => api.readings(device.short_id, seriesQuery(device, span, serverNow()), signal),
    // The previous readings stay visible while another span of the same device loads.
    placeholderData: (previous, query) => (query?.queryKey[3] === device.name ? previous : undefined),
    ...freshness.LAZY,
    refetchInterval: 60_000,
  });
}

/** A device's readings over a span of time that ends now. */
export function useSeries(device: SeriesDevice, span: Span) {
  return useQuery(seriesOptions(device, span));
}

/**
 * The line breaks if the gap between two points exceeds this multiple of the step. A raw reading may arrive late; a
 * bucket cannot.
 */
const gapFactors = { raw: 2.5, hour: 1.5, day: 1.5 } as const;

/**
 * Points for a chart. A missing point is a gap, so no line is drawn where nothing was measured. The whole span is shown
 * even if it starts or ends without readings.
 */
export function pointsOf(series: DeviceSeries, { from, to, resolution }: Omit<ReadingSeries, "devices" | "short_id">) {
  const maxGap = series.step * gapFactors[resolution];
  const points: ChartPoint[] = [];
  let before = from;
  for (const { time, value, min, max } of series.points) {
    if (time - before > maxGap) points.push({ time: points.length === 0 ? from : before + series.step, value: null });
    const banded = series.kind === "gauge" && resolution !== "raw" && min !== null && max !== null;
    const range = banded ? { range: { low: min, high: max } } : {};
    points.push({ time, value, ...range });
    before = time;
  }
  if (points.length > 0 && to - before > maxGap) points.push({ time: to, value: null });
  return points;
}

/** Markers at the points where some of the received readings are invalid. */
export function flawsOf(series: DeviceSeries): ChartMarker[] {
  return series.points.flatMap(({ time, count, good }) =>
    good < count ? [{ time, tone: "flaw" as const, text: t("readings.flawed", { flawed: count - good, count }) }] : [],
  );
}
