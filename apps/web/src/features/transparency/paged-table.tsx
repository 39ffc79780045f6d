import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Pager } from "../../ui/pager.tsx";
import { Table, type TableProps } from "../../ui/table.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { Answer } from "./query-state.tsx";

export type RowsQuery<Row> = UseQueryResult<{ items: Row[]; total: number }>;

export interface PagedTableProps<Row> extends Omit<TableProps<Row>, "rows"> {
  query: RowsQuery<Row>;
  page: number;
  pageSize: number;
  onPage: (page: number) => void;
  /** Texts for a failure and for an empty list. */
  failed: string;
  none: ReactNode;
}

/** A table with a pager below it. */
export function PagedTable<Row>({ query, page, pageSize, onPage, failed, none, ...table }: PagedTableProps<Row>) {
  return (
    <Answer query={query} failed={failed} skeleton={<TableSkeleton rows={Math.min(8, pageSize)} />}>
      {({ items, total }) =>
        total === 0 ? (
          none
        ) : (
          <>
            <Table {...table} rows={items} />
            <Pager page={page} pageSize={pageSize} total={total} onChange={onPage} />
          </>
        )
      }
    </Answer>
  );
}
