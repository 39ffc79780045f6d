import {
  AreaSeries,
  CrosshairMode,
  createChart,
  createSeriesMarkers,
  LineSeries,
  LineType,
  type UTCTimestamp,
} from "lightweight-charts";
import { useEffect, useRef } from "react";
import { formatDateTime } from "../../i18n/format.ts";
import { useLanguage } from "../../i18n/i18n.ts";
import { useAppliedTheme } from "../theme.ts";
import type { ChartPoint, ChartProps } from "./chart.tsx";

const seconds = (time: number) => Math.floor(time / 1000) as UTCTimestamp;

/** The library wants strictly rising times; of two points in one second the later one holds. A time without value is a gap. */
function plotted(points: ChartPoint[]) {
  const bySecond = new Map(points.map((point) => [seconds(point.time), point.value]));
  return [...bySecond]
    .sort(([a], [b]) => a - b)
    .map(([time, value]) => (value === null ? { time } : { time, value: Number(value) }));
}

function colourReader() {
  const style = getComputedStyle(document.documentElement);
  return (name: string) => style.getPropertyValue(`--${name}`).trim();
}

/** The drawing itself. Hairlines at the ticks only, the last value labelled at the line's end. */
export default function Canvas({ series, markers = [], format, height }: ChartProps & { height: number }) {
  const frame = useRef<HTMLDivElement>(null);
  const theme = useAppliedTheme();
  const spoken = useLanguage();

  // biome-ignore lint/correctness/useExhaustiveDependencies: theme and language change what is read inside
  useEffect(() => {
    if (!frame.current) return;
    const colour = colourReader();
    const chart = createChart(frame.current, {
      autoSize: true,
      layout: {
        background: { color: "transparent" },
        textColor: colour("muted"),
        fontFamily: '"Geist Mono Variable", ui-monospace, monospace',
        fontSize: 11,
        // The notice its licence asks for stands on the About page.
        attributionLogo: false,
      },
      grid: { vertLines: { visible: false }, horzLines: { color: colour("line") } },
      rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.14, bottom: 0.08 } },
      timeScale: { borderColor: colour("line"), timeVisible: true, fixLeftEdge: true, fixRightEdge: true },
      crosshair: {
        mode: CrosshairMode.Magnet,
        vertLine: { color: colour("line-strong"), labelBackgroundColor: colour("ink") },
        horzLine: { color: colour("line-strong"), labelBackgroundColor: colour("ink") },
      },
      localization: { locale: spoken, timeFormatter: (time: number) => formatDateTime(time * 1000) },
      // The page scrolls under a finger or wheel; a chart of fixed range has nowhere to go.
      handleScroll: false,
      handleScale: false,
    });
    series.forEach((line, index) => {
      const tone = colour(`series-${line.colour}`);
      const shared = {
        lineWidth: 2 as const,
        lineType: line.steps ? LineType.WithSteps : LineType.Simple,
        priceLineVisible: false,
        priceFormat: { type: "custom" as const, minMove: 1e-9, formatter: (value: number) => format(value.toFixed(9)) },
      };
      const drawn = line.area
        ? chart.addSeries(AreaSeries, { ...shared, lineColor: tone, topColor: `${tone}14`, bottomColor: `${tone}14` })
        : chart.addSeries(LineSeries, { ...shared, color: tone });
      drawn.setData(plotted(line.points));
      if (index === 0 && markers.length > 0)
        createSeriesMarkers(
          drawn,
          markers.map((marker) => ({
            time: seconds(marker.time),
            position: "belowBar" as const,
            shape: "arrowUp" as const,
            color: colour("muted"),
            size: 0.6,
            text: marker.text,
          })),
        );
    });
    chart.timeScale().fitContent();
    return () => chart.remove();
  }, [series, markers, format, theme, spoken]);

  return <div ref={frame} aria-hidden="true" style={{ height }} className="w-full" />;
}
