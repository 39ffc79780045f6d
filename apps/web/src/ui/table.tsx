import { Fragment, type ReactNode } from "react";
import { cx } from "./class-names.ts";

export interface Column<Row> {
  key: string;
  title: string;
  render: (row: Row) => ReactNode;
  /** Right-aligned in monospace, for figures. */
  figure?: boolean;
  /** Marks the column that names the row. On a phone's card it is the heading. */
  lead?: boolean;
}

export interface TableProps<Row> {
  /** Accessible name of the table. */
  caption: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The container width from which the columns fit side by side: 740, 880 or 1080 px. Default: "narrow". */
  width?: keyof typeof containers;
  /** Full-width content below a row, for example its actions; null for no content. */
  detail?: (row: Row) => ReactNode;
}

/** Container names for the variant `rows:` in tokens.css, which queries the width of each container. */
const containers = { narrow: "@container/narrow", medium: "@container/medium", wide: "@container/wide" } as const;

/**
 * The cell that names its row is the row's header, so that screen readers read each figure with both of its headers.
 */
function Cell({ lead, className, children }: { lead: boolean | undefined; className: string; children: ReactNode }) {
  return lead ? (
    // biome-ignore lint/a11y/noRedundantRoles: see Table
    <th role="rowheader" scope="row" className={className}>
      {children}
    </th>
  ) : (
    // biome-ignore lint/a11y/noRedundantRoles: see Table
    <td role="cell" className={className}>
      {children}
    </td>
  );
}

/** A table if the columns fit. Otherwise each row is a card whose cells have the title of their column. */
export function Table<Row>({ caption, columns, rows, rowKey, width = "narrow", detail }: TableProps<Row>) {
  return (
    // The roles are repeated because `display: block`, which turns rows into cards, removes them in some browsers.
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <div className={cx(containers[width], "overflow-x-auto")}>
      <table role="table" className="block w-full text-14 rows:table">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="sr-only rows:not-sr-only rows:table-header-group">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.key}
                role="columnheader"
                scope="col"
                className={cx(
                  "border-b border-line px-3 py-3 text-12 font-normal break-keep text-muted first:pl-5 last:pr-5",
                  column.figure ? "text-right" : "text-left",
                )}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block rows:table-row-group">
          {rows.map((row) => {
            const more = detail?.(row) ?? null;
            return (
              <Fragment key={rowKey(row)}>
                <tr
                  role="row"
                  className={cx(
                    "block px-4 py-3 rows:table-row rows:p-0 rows:hover:bg-ground/70",
                    more === null && "border-b border-line last:border-b-0",
                  )}
                >
                  {columns.map((column) => (
                    <Cell
                      key={column.key}
                      lead={column.lead}
                      className={cx(
                        "flex items-baseline justify-between gap-4 py-1 rows:table-cell rows:px-3 rows:py-3 rows:first:pl-5 rows:last:pr-5",
                        more === null && "rows:border-b rows:border-line rows:in-[tr:last-child]:border-b-0",
                        column.figure && "rows:text-right rows:whitespace-nowrap",
                        column.lead ? "pb-2 text-left font-strong rows:pb-3" : "font-normal",
                      )}
                    >
                      {!column.lead && (
                        // CJK text may break between any characters, so a title beside a long text would wrap
                        // vertically.
                        <span aria-hidden="true" className="max-w-1/2 shrink-0 text-12 text-muted rows:hidden">
                          {column.title}
                        </span>
                      )}
                      <span
                        className={cx(
                          "min-w-0 wrap-anywhere",
                          // A name does not break within words. The figures beside it shrink instead.
                          column.lead && "rows:wrap-break-word",
                          column.figure && "font-mono",
                          !column.lead && "text-right",
                          !column.lead && !column.figure && "rows:text-left",
                        )}
                      >
                        {column.render(row)}
                      </span>
                    </Cell>
                  ))}
                </tr>
                {more !== null && (
                  <tr
                    role="row"
                    className="block border-b border-line px-4 pb-4 last:border-b-0 rows:table-row rows:p-0"
                  >
                    <td
                      role="cell"
                      colSpan={columns.length}
                      className="block rows:table-cell rows:border-b rows:border-line rows:px-5 rows:pb-4 rows:in-[tr:last-child]:border-b-0"
                    >
                      {more}
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}
