import type { Range } from "@aqua/sdk/api/product";
import type { IncomeCheck, IncomeSeries } from "@aqua/sdk/api/telemetry";
import { skipToken, useQuery } from "@tanstack/react-query";
import { formatAmount, formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { api } from "../api.ts";
import { useContentLanguage } from "../content-language.ts";
import { compareAmounts } from "../decimal.ts";
import { freshness } from "../freshness.ts";
import { readingKeys } from "./keys.ts";
import { figureText } from "./reading-text.ts";

/** `follows` is the result of `sumFollows` in this browser. */
export type SummedCheck = IncomeCheck & { follows: boolean | null };

/**
 * Reads the evidence of the income report in this transaction, and checks whether its sum follows from the evidence.
 * Does not fetch without a hash.
 */
export function useIncomeCheck(shortId: string, hash: string | null) {
  const lang = useContentLanguage();
  return useQuery({
    queryKey: readingKeys.anchored(shortId, "income", hash ?? "", lang),
    queryFn:
      hash === null
        ? skipToken
        : async ({ signal }): Promise<SummedCheck> => {
            const [check, { sumFollows }] = await Promise.all([
              api.incomeCheck(shortId, hash, { lang }, signal),
              import("./income-sum.ts"),
            ]);
            return { ...check, follows: sumFollows(check) };
          },
    ...freshness.LAZY,
  });
}

/** Reads the reports of a range, each with the amount that the registers counted for it. */
export function useIncomeSeries(shortId: string, range: Range) {
  const lang = useContentLanguage();
  return useQuery({
    queryKey: readingKeys.anchored(shortId, "output", range, lang),
    queryFn: ({ signal }) => api.incomeSeries(shortId, { range, lang }, signal),
    placeholderData: (previous, query) => (query?.queryKey[1] === shortId ? previous : undefined),
    ...freshness.LAZY,
  });
}

const unsigned = (amount: string) => amount.replace("-", "");
const textIn = (unit: string) => (value: string | null) => `${formatAmount(value && unsigned(value))} ${unit}`;

/** Describes in a sentence what the readings say about an income report. */
export function accountText(check: IncomeCheck, unit: string): string {
  const { report, expected, other, verdict } = check;
  if (verdict === "not_kept") return unknownText(check);
  if (verdict === "more") return aboveText({ ...check, delta: report.delta }, unit, check.metric?.unit ?? "");
  const amount = textIn(unit);
  return t(`readings.verdict.${verdict}`, {
    reported: amount(report.delta),
    expected: amount(expected),
    other: amount(other),
  });
}

type Claim = Pick<IncomeSeries["items"][number], "counted" | "expected" | "delta" | "other" | "other_reason">;

/**
 * Describes a report that claims more than its readings account for: the amounts, and the reason from the product's
 * document.
 * @param counts unit of the registers' counts
 */
export function aboveText(claim: Claim, unit: string, counts: string): string {
  const amount = textIn(unit);
  const claimed = t("readings.verdict.more", {
    reported: amount(claim.delta),
    counted: claim.counted === null ? "—" : figureText(claim.counted, counts),
    expected: amount(claim.expected),
    other: amount(claim.other),
  });
  const reason =
    claim.other_reason === null ? t("readings.other.none") : t("readings.other.reason", { reason: claim.other_reason });
  return `${claimed} ${reason}`;
}

/** True if a report claims more than its readings account for. */
export function isAbove({ other }: Pick<Claim, "other">): boolean {
  return other !== null && compareAmounts(other, "0") > 0;
}

/** Explains why a figure of the report cannot be computed. */
export function unknownText({ verdict, retained_since: since }: IncomeCheck): string {
  return verdict === "not_kept" || since !== null
    ? t("readings.verdict.not_kept", { since: formatDate(since) })
    : t("readings.verdict.no_readings");
}

/**
 * An anchored register reading that the report is based on, from the device that counted most. Null if there is none.
 */
export function witnessOf({ devices }: IncomeCheck) {
  const anchored = devices.flatMap(({ name, last, counted }) =>
    last && last.batch !== null ? [{ name, reading: last, counted: Number(counted ?? 0) }] : [],
  );
  return anchored.sort((a, b) => b.counted - a.counted)[0] ?? null;
}
