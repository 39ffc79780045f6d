import type { TransparencySummary } from "@aqua/sdk/api/transparency";
import type { ReactNode } from "react";
import { t } from "../../i18n/i18n.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useTransparency } from "./summary.ts";

/** Renders content that needs the summary of all products, or the summary's loading or error state. */
export function KnownSummary({ children }: { children: (summary: TransparencySummary) => ReactNode }) {
  const { data, isError, error, isFetching, refetch } = useTransparency();
  if (!data)
    return isError ? (
      <ErrorState title={t("transparency.failed")} error={error} busy={isFetching} onRetry={() => refetch()} />
    ) : (
      <div aria-busy="true">
        <Skeleton className="h-[40rem] rounded-12" />
      </div>
    );
  return (
    <>
      {data.as_of.stale && (
        <Notice look="caution" title={t("products.stale.title")}>
          {t("products.stale.text")}
        </Notice>
      )}
      {children(data)}
    </>
  );
}
