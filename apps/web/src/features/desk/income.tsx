import type { IncomeNext } from "@aqua/sdk/api/telemetry";
import type { TransparencySummary } from "@aqua/sdk/api/transparency";
import { formatDateTime, formatDuration } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { useNow } from "../../ui/use-now.ts";
import { Answer } from "../transparency/query-state.tsx";
import { useTransparency } from "../transparency/summary.ts";
import { Command } from "./command.tsx";
import { commands } from "./commands.ts";
import { isReportDue, type OfProduct, useNextIncomes } from "./queries.ts";

type Row = OfProduct<IncomeNext>;

const columns = (now: number): Column<Row>[] => [
  { key: "product", title: t("products.tx.product"), lead: true, render: ({ product }) => product.name },
  {
    key: "last",
    title: t("products.proof"),
    render: ({ product: { last_report, max_age } }) => (
      <>
        {last_report === null ? t("desk.income.never") : formatDateTime(last_report)}
        {max_age !== null && (
          <span className="block text-12 text-muted">{t("desk.income.maxAge", { time: formatDuration(max_age) })}</span>
        )}
      </>
    ),
  },
  {
    key: "gain",
    title: t("desk.income.gain"),
    render: ({ product, data }) =>
      data === null ? (
        t("desk.unknown")
      ) : data.verdict === "ready" ? (
        <>
          <Amount mono value={data.expected} unit={product.symbol} />
          <span className="block text-12 text-muted">{t("desk.income.to", { to: formatDateTime(data.to) })}</span>
        </>
      ) : (
        <span className="text-muted">{t(`desk.income.${data.verdict}`)}</span>
      ),
  },
  {
    key: "most",
    title: t("desk.income.most"),
    render: ({ product, data }) => <Amount mono value={data?.most} unit={product.symbol} />,
  },
  {
    key: "due",
    title: t("desk.state"),
    render: (row) =>
      isReportDue(row, now) ? <Badge look="caution">{t("desk.income.isDue")}</Badge> : t("desk.income.notDue"),
  },
];

/** Income that can be reported now. A report is sent with the reporter's key, so the desk shows the command. */
export function Income() {
  const summary = useTransparency();
  return (
    <Section anchor="income" title={t("desk.income")} intro={t("desk.income.intro")}>
      <div className="panel overflow-hidden">
        <Answer query={summary} failed={t("desk.income.failed")} skeleton={<TableSkeleton rows={3} />}>
          {(known) => <Products summary={known} />}
        </Answer>
      </div>
    </Section>
  );
}

function Products({ summary }: { summary: TransparencySummary }) {
  const now = useNow(60_000);
  return (
    <Answer query={useNextIncomes(summary)} failed={t("desk.income.failed")} skeleton={<TableSkeleton rows={3} />}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title={t("desk.income.none")} />
        ) : (
          <Table
            width="medium"
            caption={t("desk.income")}
            columns={columns(now)}
            rows={rows}
            rowKey={({ product }) => product.short_id}
            detail={(row) => <Command line={commands.report(row.product)} does={t("desk.income.command")} />}
          />
        )
      }
    </Answer>
  );
}
