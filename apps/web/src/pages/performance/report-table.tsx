import type { Performance } from "@aqua/sdk/api/product";
import { useState } from "react";
import { explorerOf } from "../../features/products/words.ts";
import { formatCount, formatDate, formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { Amount } from "../../ui/amount.tsx";
import { Pager } from "../../ui/pager.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Report = Performance["reports"][number];
const pageSize = 12;

/** Each report of income or loss with the head of evidence it rests on. Newest first. */
export default function ReportTable({ reports, unit, chainId }: { reports: Report[]; unit: string; chainId: number }) {
  const [page, setPage] = useState(1);
  const sorted = [...reports].sort((a, b) => b.time - a.time);
  const columns: Column<Report>[] = [
    { key: "time", title: t("performance.report.time"), lead: true, render: (row) => formatDateTime(row.time) },
    {
      key: "delta",
      title: t("performance.report.delta"),
      figure: true,
      render: (row) => <Amount value={row.delta} unit={unit} tone="gain" mono />,
    },
    { key: "asOf", title: t("performance.report.asOf"), render: (row) => formatDate(row.as_of_time) },
    { key: "block", title: t("performance.report.block"), figure: true, render: (row) => formatCount(row.block) },
    {
      key: "evidence",
      title: t("performance.report.evidence"),
      figure: true,
      render: (row) =>
        /^0x0*$/.test(row.evidence_root) ? (
          <span className="font-sans text-muted">{t("performance.report.noEvidence")}</span>
        ) : (
          <Address address={row.evidence_root} what={t("products.hash")} />
        ),
    },
    {
      key: "hash",
      title: t("products.tx.hash"),
      figure: true,
      render: (row) => (
        <Address address={row.hash} what={t("products.tx.hash")} kind="tx" explorer={explorerOf(chainId)} />
      ),
    },
  ];
  return (
    <>
      <Table
        caption={t("performance.reports")}
        columns={columns}
        rows={sorted.slice((page - 1) * pageSize, page * pageSize)}
        rowKey={(row) => `${row.hash}-${row.block}`}
      />
      <Pager page={page} pageSize={pageSize} total={sorted.length} onChange={setPage} />
    </>
  );
}
