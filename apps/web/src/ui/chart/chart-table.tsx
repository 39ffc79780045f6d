import { formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import type { ChartProps } from "./chart.tsx";

/** More rows than this nobody reads; the newest are kept. */
const shownRows = 60;

/** The figures of a chart, newest first, for those who read rather than look. */
export default function ChartTable({ title, series, format }: ChartProps) {
  const times = [...new Set(series.flatMap((line) => line.points.map((point) => point.time)))]
    .sort((a, b) => b - a)
    .slice(0, shownRows);
  const values = series.map((line) => new Map(line.points.map((point) => [point.time, point.value])));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
    <section tabIndex={0} aria-label={title} className="max-h-72 overflow-auto px-5 pb-4">
      <table className="w-full text-12">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr className="text-left text-muted">
            <th scope="col" className="sticky top-0 bg-surface py-2 font-normal">
              {t("ui.chart.time")}
            </th>
            {series.map((line) => (
              <th key={line.name} scope="col" className="sticky top-0 bg-surface py-2 pl-4 text-right font-normal">
                {line.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="font-mono">
          {times.map((time) => (
            <tr key={time} className="border-t border-line">
              <td className="py-1.5">{formatDateTime(time)}</td>
              {values.map((known, index) => {
                const value = known.get(time);
                return (
                  <td key={series[index]?.name} className="py-1.5 pl-4 text-right">
                    {value === undefined || value === null ? "—" : format(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
