import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorState } from "../../ui/error-state.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";

interface ListPanelProps<Data> {
  query: UseQueryResult<Data>;
  /** Number of rows of the skeleton. */
  rows: number;
  children: (data: Data) => ReactNode;
}

/** The frame of a list. It shows a skeleton, an error with a retry button, or the list. */
export function ListPanel<Data>({ query, rows, children }: ListPanelProps<Data>) {
  return (
    <div className="panel overflow-hidden" aria-busy={query.isFetching}>
      {query.data !== undefined ? (
        children(query.data)
      ) : query.isError ? (
        <div className="p-5">
          <ErrorState error={query.error} busy={query.isFetching} onRetry={() => query.refetch()} />
        </div>
      ) : (
        <TableSkeleton rows={rows} />
      )}
    </div>
  );
}
