import type { IncomeNext } from "@aqua/sdk/api/telemetry";
import { formatDateTime, formatDuration } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import type { Column } from "../../ui/table.tsx";
import { Command } from "./command.tsx";
import { commands } from "./commands.ts";
import { ProductTable } from "./parts.tsx";
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
  return (
    <ProductTable
      anchor="income"
      texts={{
        title: t("desk.income"),
        intro: t("desk.income.intro"),
        failed: t("desk.income.failed"),
        none: t("desk.income.none"),
      }}
      useRows={useNextIncomes}
      columns={columns}
      detail={(row) => <Command line={commands.report(row.product)} does={t("desk.income.command")} />}
    />
  );
}
