import type { Performance, Range } from "@aqua/sdk/api/product";

type Cell = string | number | null;

/**
 * One cell of RFC 4180. A text a spreadsheet would run as a formula is kept from it by an apostrophe; a number, which may
 * begin with a minus, stays as it is. Unknown is empty.
 */
export function csvCell(value: Cell): string {
  if (value === null) return "";
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function csvOf(columns: readonly string[], rows: readonly Cell[][]): string {
  return [columns, ...rows]
    .map((row) => row.map(csvCell).join(","))
    .join("\r\n")
    .concat("\r\n");
}

const at = (time: number) => new Date(time).toISOString();

/** The observations of a range as the API gave them, every digit. */
export function seriesCsv({ series }: Performance): string {
  return csvOf(
    ["time_utc", "time_ms", "tvl", "share_price", "gross_price", "rate", "coverage"],
    series.map((row) => [at(row.time), row.time, row.tvl, row.share_price, row.gross_price, row.rate, row.coverage]),
  );
}

/** The income reports as the API gave them, newest first. */
export function reportsCsv({ reports }: Performance): string {
  return csvOf(
    ["time_utc", "time_ms", "block", "hash", "delta", "fee", "for_time_to_utc", "evidence_root"],
    reports.map((row) => [
      at(row.time),
      row.time,
      row.block,
      row.hash,
      row.delta,
      row.fee,
      at(row.as_of_time),
      row.evidence_root,
    ]),
  );
}

/** The whole answer, with what it is about. */
export function performanceJson(performance: Performance, range: Range, unit: string): string {
  return JSON.stringify({ range, unit, ...performance }, null, 2);
}
