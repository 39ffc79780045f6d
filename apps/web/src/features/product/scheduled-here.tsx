import { t } from "../../i18n/i18n.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Scheduled } from "../transparency/scheduled.tsx";
import { useTransparency } from "../transparency/summary.ts";

/** Lists the scheduled calls of one product. */
export default function ScheduledHere({ shortId }: { shortId: string }) {
  const { data, isError, error, isFetching, refetch } = useTransparency();
  if (data) return <Scheduled summary={data} shortId={shortId} />;
  if (!isError) return <Skeleton className="h-40 rounded-12" />;
  return <ErrorState title={t("ui.error.title")} error={error} busy={isFetching} onRetry={() => refetch()} />;
}
