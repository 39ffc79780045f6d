import type { Performance } from "@aqua/sdk/api/product";
import { lazy, Suspense, useMemo, useState } from "react";
import { formatCount, formatDate, formatDateTime } from "../../i18n/format.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Details } from "../../ui/details.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Pager } from "../../ui/pager.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { isZero, sumAmounts } from "../decimal.ts";
import { explorerOf } from "../products/product-labels.ts";

const ReportEvidence = lazy(() =>
  Promise.all([import("./report-evidence.tsx"), loadTexts("readings")]).then(([module]) => module),
);

type Report = Performance["reports"][number];
const pageSize = 12;

/** A badge that names the kind of a report. */
function Kind({ delta, taken_back }: Report) {
  if (taken_back !== null) return <Badge>{t("performance.report.takenBack", { date: formatDate(taken_back) })}</Badge>;
  if (isZero(delta)) return <Badge>{t("performance.report.even")}</Badge>;
  return delta.startsWith("-") ? (
    <Badge look="negative">{t("performance.report.loss")}</Badge>
  ) : (
    <Badge look="positive">{t("performance.report.gain")}</Badge>
  );
}

interface ReportsProps {
  shortId: string;
  reports: Report[];
  unit: string;
  chainId: number;
}

/**
 * Shows the sums of all income and loss reports. Each report with its evidence can be expanded below them, newest
 * first.
 */
export function Reports({ shortId, reports, unit, chainId }: ReportsProps) {
  const [page, setPage] = useState(1);
  const sorted = useMemo(() => [...reports].sort((a, b) => b.time - a.time), [reports]);
  const sums = useMemo(() => {
    const deltas = reports.filter(({ taken_back }) => taken_back === null).map(({ delta }) => delta);
    return {
      gains: sumAmounts(deltas.filter((delta) => !delta.startsWith("-"))),
      losses: sumAmounts(deltas.filter((delta) => delta.startsWith("-"))),
      fees: sumAmounts(reports.map((report) => report.fee)),
    };
  }, [reports]);
  const columns: Column<Report>[] = [
    { key: "time", title: t("performance.report.time"), lead: true, render: (row) => formatDateTime(row.time) },
    { key: "kind", title: t("performance.report.kind"), render: (row) => <Kind {...row} /> },
    {
      key: "delta",
      title: t("performance.report.delta"),
      figure: true,
      render: (row) => <Amount value={row.delta} unit={unit} tone="gain" mono />,
    },
    {
      key: "fee",
      title: t("performance.report.fee"),
      figure: true,
      render: (row) => <Amount value={row.fee} unit={unit} mono />,
    },
    { key: "asOf", title: t("performance.report.asOf"), render: (row) => formatDate(row.as_of_time) },
    {
      key: "evidence",
      title: t("performance.report.evidence"),
      figure: true,
      render: (row) =>
        /^0x0*$/.test(row.evidence_root) ? (
          <span className="font-sans text-muted">{t("performance.report.noEvidence")}</span>
        ) : (
          <Suspense fallback="…">
            <ReportEvidence shortId={shortId} report={row} unit={unit} />
          </Suspense>
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
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 p-5 md:grid-cols-4">
        <Figure size="small" label={t("performance.report.count")}>
          {formatCount(reports.length)}
        </Figure>
        <Figure size="small" label={t("performance.report.gains")}>
          <Amount value={sums.gains} unit={unit} tone="gain" />
        </Figure>
        <Figure size="small" label={t("performance.report.losses")}>
          <Amount value={sums.losses} unit={unit} tone="gain" />
        </Figure>
        <Figure size="small" label={t("performance.report.fees")}>
          <Amount value={sums.fees} unit={unit} />
        </Figure>
      </dl>
      <Details label={t("performance.reports.each")} inset>
        <Table
          caption={t("performance.reports")}
          columns={columns}
          rows={sorted.slice((page - 1) * pageSize, page * pageSize)}
          rowKey={(row) => `${row.hash}-${row.block}`}
        />
        <Pager page={page} pageSize={pageSize} total={sorted.length} onChange={setPage} />
      </Details>
    </>
  );
}
