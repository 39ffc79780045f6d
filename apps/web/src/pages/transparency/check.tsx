import type { Reserves, TransparencySummary } from "@aqua/sdk/api/transparency";
import { type CheckedFigure, useCheck } from "../../features/transparency/chain-check.ts";
import { formatCount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type Column, Table } from "../../ui/table.tsx";

function Verdict({ row }: { row: CheckedFigure }) {
  if (!row.holds) return <Badge look="negative">{t("transparency.check.different")}</Badge>;
  return <Badge look="positive">{t(`transparency.check.${row.relation}`)}</Badge>;
}

interface CheckProps {
  reserves: Reserves;
  contracts: TransparencySummary["contracts"];
  /** Checks the newest block instead. */
  onAgain: () => void;
}

/** What this browser read from the chain by itself, figure by figure against what the page tells. */
export default function Check({ reserves, contracts, onAgain }: CheckProps) {
  const check = useCheck(reserves, contracts);
  const { symbol, decimals } = reserves;
  const exact = { digits: decimals, minDigits: 2 };
  const columns: Column<CheckedFigure>[] = [
    {
      key: "figure",
      title: t("transparency.check.figure"),
      lead: true,
      render: (row) => t(`transparency.check.${row.figure}`),
    },
    {
      key: "asked",
      title: t("transparency.check.asked"),
      render: (row) => <span className="font-mono text-12 text-muted">{row.asked}</span>,
    },
    {
      key: "site",
      title: t("transparency.check.site"),
      figure: true,
      render: (row) => <Amount value={row.site} unit={symbol} mono {...exact} />,
    },
    {
      key: "chain",
      title: t("transparency.check.chain"),
      figure: true,
      render: (row) => <Amount value={row.chain} unit={symbol} mono {...exact} />,
    },
    { key: "verdict", title: t("transparency.check.verdict"), render: (row) => <Verdict row={row} /> },
  ];
  if (check.data === undefined)
    return check.isError ? (
      <ErrorState
        title={t("transparency.check.failed")}
        error={check.error}
        busy={check.isFetching}
        onRetry={() => check.refetch()}
      />
    ) : (
      <div aria-busy="true">
        <Skeleton className="h-40" />
      </div>
    );
  const wrong = check.data.filter((row) => !row.holds).length;
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-14">
        {wrong === 0
          ? t("transparency.check.allRight", { block: formatCount(reserves.as_of.block) })
          : t("transparency.check.wrong", { count: wrong, block: formatCount(reserves.as_of.block) })}
      </p>
      <div className="-mx-5 border-y border-line">
        <Table caption={t("transparency.check")} columns={columns} rows={check.data} rowKey={(row) => row.figure} />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button look="secondary" size="small" onClick={onAgain}>
          {t("transparency.check.again")}
        </Button>
        <p className="max-w-[68ch] text-12 text-muted">{t("transparency.check.note")}</p>
      </div>
    </div>
  );
}
