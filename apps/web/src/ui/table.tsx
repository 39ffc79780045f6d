import { Fragment, type ReactNode } from "react";
import { cx } from "./class-names.ts";

export interface Column<Row> {
  key: string;
  title: string;
  render: (row: Row) => ReactNode;
  /** Figures stand right and in the mono face. */
  figure?: boolean;
  /** The column that names the row: a heading on a phone's card. */
  lead?: boolean;
}

export interface TableProps<Row> {
  /** Accessible name of the table. */
  caption: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** What belongs to a row and needs its whole width, for example what can be done with it; null for nothing. */
  detail?: (row: Row) => ReactNode;
}

/** The cell that names its row is the row's header, so each figure is read out with both its names. */
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

/** A table on wide screens; below 768 px each row is a card whose cells carry their column's title. */
export function Table<Row>({ caption, columns, rows, rowKey, detail }: TableProps<Row>) {
  return (
    // The roles are repeated because `display: block`, which makes rows into cards, takes them away in some browsers.
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <table role="table" className="block w-full text-14 md:table">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
        <tr role="row">
          {columns.map((column) => (
            <th
              key={column.key}
              role="columnheader"
              scope="col"
              className={cx(
                "border-b border-line px-4 py-3 text-12 font-normal whitespace-nowrap text-muted first:pl-5 last:pr-5",
                column.figure ? "text-right" : "text-left",
              )}
            >
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="block md:table-row-group">
        {rows.map((row) => {
          const more = detail?.(row) ?? null;
          return (
            <Fragment key={rowKey(row)}>
              <tr
                role="row"
                className={cx(
                  "block px-4 py-3 md:table-row md:p-0 md:hover:bg-ground/70",
                  more === null && "border-b border-line last:border-b-0",
                )}
              >
                {columns.map((column) => (
                  <Cell
                    key={column.key}
                    lead={column.lead}
                    className={cx(
                      "flex items-baseline justify-between gap-4 py-1 md:table-cell md:px-4 md:py-3 md:first:pl-5 md:last:pr-5",
                      more === null && "md:border-b md:border-line md:in-[tr:last-child]:border-b-0",
                      column.figure && "md:text-right md:whitespace-nowrap",
                      column.lead ? "pb-2 text-left font-strong md:pb-3" : "font-normal",
                    )}
                  >
                    {!column.lead && (
                      // Characters of CJK may break anywhere: beside a long text a title would stand one under the other.
                      <span aria-hidden="true" className="max-w-1/2 shrink-0 text-12 text-muted md:hidden">
                        {column.title}
                      </span>
                    )}
                    <span
                      className={cx(
                        "min-w-0 wrap-anywhere",
                        // A name keeps its words; the figures beside it make the room.
                        column.lead && "md:wrap-break-word",
                        column.figure && "font-mono",
                        !column.lead && "text-right",
                        !column.lead && !column.figure && "md:text-left",
                      )}
                    >
                      {column.render(row)}
                    </span>
                  </Cell>
                ))}
              </tr>
              {more !== null && (
                <tr role="row" className="block border-b border-line px-4 pb-4 last:border-b-0 md:table-row md:p-0">
                  <td
                    role="cell"
                    colSpan={columns.length}
                    className="block md:table-cell md:border-b md:border-line md:px-5 md:pb-4 md:in-[tr:last-child]:border-b-0"
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
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}
