import { useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { Pager } from "../pager.tsx";
import type { Column } from "./plot.ts";
import type { ChartAcross, ChartSeries } from "./types.ts";
import { valueText } from "./value-text.ts";

const pageSize = 24;

interface ChartTableProps {
  title: string;
  series: ChartSeries[];
  columns: Column[];
  /** The label of a column: its time, or its value on a custom axis. */
  place: (column: Column) => string;
  format: (value: string) => string;
  across: ChartAcross | undefined;
}

/** All figures of a chart, page by page, newest first. With a custom axis they are in the order of that axis. */
export default function ChartTable({ title, series, columns, place, format, across }: ChartTableProps) {
  const [page, setPage] = useState(1);
  const ordered = across ? columns : [...columns].reverse();
  const last = Math.max(1, Math.ceil(ordered.length / pageSize));
  const current = Math.min(page, last);
  const rows = ordered.slice((current - 1) * pageSize, current * pageSize);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard */}
      <section tabIndex={0} aria-label={title} className="max-h-80 overflow-auto px-5 pb-4">
        <table className="w-full text-12">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr className="text-left text-muted">
              <th scope="col" className="sticky top-0 bg-surface py-2 font-normal">
                {across?.name ?? t("chart.time")}
              </th>
              {series.map((line) => (
                <th key={line.name} scope="col" className="sticky top-0 bg-surface py-2 pl-4 text-right font-normal">
                  {line.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="font-mono">
            {rows.map((column) => (
              <tr key={column.x} className="border-t border-line">
                <th scope="row" className="py-1.5 text-left font-normal">
                  {place(column)}
                </th>
                {series.map((line, index) => (
                  <td key={line.name} className="py-1.5 pl-4 text-right">
                    {valueText(column, index, format) ?? "—"}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Pager page={current} pageSize={pageSize} total={ordered.length} onChange={setPage} />
    </>
  );
}
