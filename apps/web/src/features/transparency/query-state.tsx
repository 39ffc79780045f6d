import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { t } from "../../i18n/i18n.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";

interface AnswerProps<Data> {
  query: UseQueryResult<Data>;
  /** Text shown if the query failed. */
  failed: string;
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Renders a query's states: loading, failed with a retry button, or loaded and possibly outdated. */
export function Answer<Data>({ query, failed, skeleton, children }: AnswerProps<Data>) {
  if (query.data === undefined)
    return query.isError ? (
      <div className="p-5">
        <ErrorState title={failed} error={query.error} busy={query.isFetching} onRetry={() => query.refetch()} />
      </div>
    ) : (
      <div aria-busy="true">{skeleton}</div>
    );
  return (
    <div aria-busy={query.isPlaceholderData || undefined}>
      {query.isError && (
        <div className="p-5 pb-0">
          <Notice look="caution">{t("transparency.old")}</Notice>
        </div>
      )}
      {children(query.data)}
    </div>
  );
}
