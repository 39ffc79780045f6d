import type { Performance, Range } from "@aqua/sdk/api/product";
import { csvFile, csvFormatOf } from "@aqua/sdk/csv";
import { language } from "../../i18n/i18n.ts";

const at = (time: number) => new Date(time).toISOString();

/** The observations of a range as in the API, with every digit. */
export function seriesCsv({ series }: Performance): string {
  return csvFile(
    ["time_utc", "time_ms", "tvl", "share_price", "gross_price", "rate", "coverage"],
    series.map((row) => [at(row.time), row.time, row.tvl, row.share_price, row.gross_price, row.rate, row.coverage]),
    csvFormatOf(language()),
  );
}

/** The income reports as in the API, newest first. */
export function reportsCsv({ reports }: Performance): string {
  return csvFile(
    ["time_utc", "time_ms", "block", "hash", "delta", "fee", "taken_back_utc", "for_time_to_utc", "evidence_root"],
    reports.map((row) => [
      at(row.time),
      row.time,
      row.block,
      row.hash,
      row.delta,
      row.fee,
      row.taken_back === null ? null : at(row.taken_back),
      at(row.as_of_time),
      row.evidence_root,
    ]),
    csvFormatOf(language()),
  );
}

/** The whole response, with its range and unit. */
export function performanceJson(performance: Performance, range: Range, unit: string): string {
  return JSON.stringify({ range, unit, ...performance }, null, 2);
}
