import type { Range } from "@aqua/sdk/api/product";
import { formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { aboveText, isAbove, useIncomeSeries } from "../readings/income.ts";

/** Lists the reports of a range that claim more than the registers counted, each with the operator's reason. */
export default function ReportsAbove({ shortId, unit, range }: { shortId: string; unit: string; range: Range }) {
  const answer = useIncomeSeries(shortId, range);
  if (answer.isError && !answer.data)
    return <ErrorState error={answer.error} busy={answer.isFetching} onRetry={() => answer.refetch()} />;
  const metric = answer.data?.metric;
  if (!metric) return null;
  return answer.data?.items.filter(isAbove).map((item) => (
    <Notice key={item.hash} look="caution" title={t("readings.above", { date: formatDate(item.to) })}>
      {aboveText(item, unit, metric.unit)}
    </Notice>
  ));
}
