import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { t } from "../../i18n/i18n.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";

interface AnswerProps<Data> {
  query: UseQueryResult<Data>;
  /** What is said when it could not be had. */
  failed: string;
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** What a question brought: on its way, failed with a way to try again, or here, and then perhaps old. */
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
