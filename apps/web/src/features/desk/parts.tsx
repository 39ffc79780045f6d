import type { DeskState } from "@aqua/sdk/api/desk";
import type { OperatorScope } from "@aqua/sdk/api/rules";
import type { TransparencySummary } from "@aqua/sdk/api/transparency";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { t } from "../../i18n/i18n.ts";
import { Empty } from "../../ui/empty.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { useNow } from "../../ui/use-now.ts";
import { Answer } from "../transparency/query-state.tsx";
import { useTransparency } from "../transparency/summary.ts";
import type { OfProduct } from "./queries.ts";

/** Whether the operator may read what needs one of these scopes. */
export function mayRead({ scopes }: DeskState, ...any: OperatorScope[]): boolean {
  return any.some((scope) => scopes.includes(scope));
}

/** Shown in place of a part that the operator may not read. */
export function MissingScope({ state, needed }: { state: DeskState; needed: string }) {
  return (
    <Notice title={t("desk.scope", { scope: needed })}>
      {t("desk.scope.text", { name: state.name, scopes: state.scopes.join(", ") })}
    </Notice>
  );
}

interface ProductTableProps<Data> {
  anchor: string;
  texts: { title: string; intro: string; failed: string; none: string };
  /** The hook that asks about each product. */
  useRows: (summary: TransparencySummary) => UseQueryResult<OfProduct<Data>[]>;
  columns: (now: number) => Column<OfProduct<Data>>[];
  detail: (row: OfProduct<Data>) => ReactNode;
}

/** A part of the desk with a line for each product, and its commands below. */
export function ProductTable<Data>(props: ProductTableProps<Data>) {
  const { title, intro, failed } = props.texts;
  return (
    <Section anchor={props.anchor} title={title} intro={intro}>
      <div className="panel overflow-hidden">
        <Answer query={useTransparency()} failed={failed} skeleton={<TableSkeleton rows={3} />}>
          {(summary) => <ProductRows {...props} summary={summary} />}
        </Answer>
      </div>
    </Section>
  );
}

function ProductRows<Data>({
  texts,
  useRows,
  columns,
  detail,
  summary,
}: ProductTableProps<Data> & { summary: TransparencySummary }) {
  const now = useNow(60_000);
  return (
    <Answer query={useRows(summary)} failed={texts.failed} skeleton={<TableSkeleton rows={3} />}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title={texts.none} />
        ) : (
          <Table
            width="medium"
            caption={texts.title}
            columns={columns(now)}
            rows={rows}
            rowKey={({ product }) => product.short_id}
            detail={detail}
          />
        )
      }
    </Answer>
  );
}
