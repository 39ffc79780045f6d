import type { Range } from "@aqua/sdk/api/product";
import type { IncomeCheck } from "@aqua/sdk/api/telemetry";
import { skipToken, useQuery } from "@tanstack/react-query";
import { formatAmount, formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { readingKeys } from "./keys.ts";

/** The evidence of the income report in this transaction; idle without one. */
export function useIncomeCheck(shortId: string, hash: string | null) {
  return useQuery({
    queryKey: readingKeys.anchored(shortId, "income", hash ?? ""),
    queryFn: hash === null ? skipToken : ({ signal }) => api.incomeCheck(shortId, hash, signal),
    ...freshness.LAZY,
  });
}

/** The reports of a range, each with what the registers counted for it. */
export function useIncomeSeries(shortId: string, range: Range) {
  return useQuery({
    queryKey: readingKeys.anchored(shortId, "output", range),
    queryFn: ({ signal }) => api.incomeSeries(shortId, { range }, signal),
    placeholderData: (previous, query) => (query?.queryKey[1] === shortId ? previous : undefined),
    ...freshness.LAZY,
  });
}

const unsigned = (amount: string) => amount.replace("-", "");

/** What the readings say about an income report, as a sentence. */
export function accountText(check: IncomeCheck, unit: string): string {
  const { report, expected, other, verdict } = check;
  if (verdict === "not_kept") return unknownText(check);
  const amount = (value: string | null) => `${formatAmount(value && unsigned(value))} ${unit}`;
  const values = { reported: amount(report.delta), expected: amount(expected), other: amount(other) };
  return t(`readings.verdict.${verdict}`, values);
}

/** Why one of its figures cannot be computed. */
export function unknownText({ verdict, retained_since: since }: IncomeCheck): string {
  return verdict === "not_kept" || since !== null
    ? t("readings.verdict.not_kept", { since: formatDate(since) })
    : t("readings.verdict.no_readings");
}

/** A verifiable register reading that the report is based on: from the device that counted most. */
export function witnessOf({ devices }: IncomeCheck) {
  const anchored = devices.flatMap(({ name, last, counted }) =>
    last && last.batch !== null ? [{ name, reading: last, counted: Number(counted ?? 0) }] : [],
  );
  return anchored.sort((a, b) => b.counted - a.counted)[0] ?? null;
}
