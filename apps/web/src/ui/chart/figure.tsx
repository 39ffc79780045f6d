import {
  type KeyboardEvent,
  lazy,
  type PointerEvent,
  Suspense,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { formatDateTime, formatDay, formatMonth } from "../../i18n/format.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Drawing, Swatch } from "./drawing.tsx";
import { type Column, movedCursor, nearestColumn, plotOf } from "./plot.ts";
import { textured } from "./texture.ts";
import type { ChartProps } from "./types.ts";
import { useWidth } from "./use-width.ts";
import { valueText } from "./value-text.ts";

const ChartTable = lazy(() => import("./chart-table.tsx"));

const tickOptions = {
  hour: { hour: "2-digit", minute: "2-digit" },
  day: { day: "numeric", month: "short" },
  month: { month: "short" },
  year: { year: "numeric" },
} as const;

/** Labels of ticks. The first month of a year is labelled with the year, so that a long chart shows the years. */
function tickLabels(language: string, utc: boolean) {
  const zone = utc ? { timeZone: "UTC" } : {};
  const formats = Object.fromEntries(
    Object.entries(tickOptions).map(([unit, options]) => [
      unit,
      new Intl.DateTimeFormat(language, { ...options, ...zone }),
    ]),
  );
  const monthOf = (date: Date) => (utc ? date.getUTCMonth() : date.getMonth());
  return {
    tick: (time: number, unit: keyof typeof tickOptions) =>
      formats[unit === "month" && monthOf(new Date(time)) === 0 ? "year" : unit]?.format(time) ?? "",
  };
}

/** A chart with its read-out, its drawing with a cursor, and its table. */
export default function ChartFigure(props: ChartProps) {
  const { title, series, format, across, periods, height = 280 } = props;
  const language = useLanguage();
  const { ref, width } = useWidth<HTMLDivElement>();
  const [cursor, setCursor] = useState<number | null>(null);
  const [spoken, setSpoken] = useState("");
  const [asTable, setAsTable] = useState(false);
  const hint = useId();
  const words = useMemo(() => tickLabels(language, periods !== undefined), [language, periods]);
  const plot = useMemo(() => plotOf(props, width, words), [props, width, words]);
  const { columns } = plot;

  // New data has other columns. A cursor stored by index would jump to another time, so it is removed.
  const drawnSeries = useRef(series);
  useEffect(() => {
    if (drawnSeries.current === series) return;
    drawnSeries.current = series;
    setCursor(null);
    setSpoken("");
  }, [series]);

  const time = periods === undefined ? formatDateTime : { day: formatDay, month: formatMonth }[periods];
  const place = (column: Column) => (across ? across.format(column.x) : time(column.x));
  const valueAt = (column: Column, index: number) => valueText(column, index, format);
  const current = cursor === null ? undefined : columns[cursor];
  const hasValue = (column: Column) => column.values.some((value) => value !== null && value !== undefined);
  const read = current ?? columns.findLast(hasValue) ?? columns.at(-1);

  function say(column: Column | undefined) {
    if (!column) return;
    const figures = series.map((line, index) => `${line.name} ${valueAt(column, index) ?? t("chart.noValue")}`);
    const sentence = [place(column), ...figures].join(", ");
    setSpoken([sentence, ...column.markers.map((marker) => marker.text)].filter(Boolean).join(". "));
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && cursor !== null) {
      event.stopPropagation();
      setCursor(null);
      return;
    }
    const next = movedCursor(event.key, cursor, columns.length);
    if (next === null || columns.length === 0) return;
    event.preventDefault();
    setCursor(next);
    say(columns[next]);
  }
  function onPointer(event: PointerEvent) {
    const left = event.currentTarget.getBoundingClientRect().left;
    setCursor(columns.length === 0 ? null : nearestColumn(columns, plot.fromX(event.clientX - left)));
  }

  return (
    <figure aria-label={title} className="min-w-0">
      <figcaption className="flex min-h-5 flex-wrap items-baseline gap-x-5 gap-y-1 px-5 pb-2 text-12 text-muted">
        {read && (
          <span className="min-w-0 font-mono">
            {across ? `${across.name} ` : ""}
            {place(read)}
          </span>
        )}
        {textured(series).map((line, index) => (
          <span key={line.name} className="inline-flex items-baseline gap-2">
            <Swatch line={line} />
            {line.name}
            {read && <span className="font-mono text-ink">{valueAt(read, index) ?? "—"}</span>}
          </span>
        ))}
      </figcaption>
      <div
        ref={ref}
        role="application"
        aria-label={title}
        aria-roledescription={t("chart.role")}
        aria-describedby={hint}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it has a cursor of its own
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setCursor(null)}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={() => setCursor(null)}
        style={{ height }}
        className="relative cursor-crosshair touch-pan-y overflow-hidden rounded-6 select-none focus-visible:-outline-offset-2"
      >
        {width > 0 && <Drawing plot={plot} cursor={current} colours={series.map((line) => line.colour)} />}
        {current && current.markers.length > 0 && (
          <ul className="pointer-events-none absolute top-0 left-5 max-w-[70%] rounded-6 border border-line bg-surface px-2 py-1 text-12">
            {current.markers.slice(0, 4).map((marker) => (
              <li key={`${marker.time}-${marker.text}`}>{marker.text}</li>
            ))}
            {current.markers.length > 4 && <li>{t("chart.more", { count: current.markers.length - 4 })}</li>}
          </ul>
        )}
      </div>
      <p id={hint} className="sr-only">
        {t("chart.keys")}
      </p>
      <output aria-live="polite" className="sr-only">
        {spoken}
      </output>
      <details className="group border-t border-line" onToggle={(event) => setAsTable(event.currentTarget.open)}>
        <summary className="px-5 py-3 text-12 text-muted hover:text-ink">{t("chart.table")}</summary>
        {asTable && (
          <Suspense>
            <ChartTable title={title} series={series} columns={columns} place={place} format={format} across={across} />
          </Suspense>
        )}
      </details>
    </figure>
  );
}
