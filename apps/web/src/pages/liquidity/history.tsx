import type { Liquidity } from "@aqua/sdk/api/product";
import { useMemo } from "react";
import { formatAmount, formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Chart } from "../../ui/chart/chart.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Day = Liquidity["history"][number];

const total = (value: string) => formatAmount(value, { digits: 0 });

/** Idle and total assets day by day, and the days on which money came or went. */
export default function History({ history, unit }: { history: Day[]; unit: string }) {
  const series = useMemo(
    () => [
      {
        name: t("liquidity.total"),
        colour: 3 as const,
        points: history.map((day) => ({ time: day.time, value: day.total_assets })),
      },
      {
        name: t("liquidity.idle"),
        colour: 1 as const,
        area: true,
        points: history.map((day) => ({ time: day.time, value: day.idle })),
      },
    ],
    [history],
  );
  const moved = useMemo(
    () =>
      history
        .filter((day) => Number(day.deposits) > 0 || Number(day.withdrawals) > 0)
        .slice(-14)
        .reverse(),
    [history],
  );
  const columns: Column<Day>[] = [
    { key: "day", title: t("liquidity.day"), lead: true, render: (row) => formatDate(row.time) },
    {
      key: "in",
      title: t("liquidity.in"),
      figure: true,
      render: (row) => <Amount value={row.deposits} unit={unit} mono />,
    },
    {
      key: "out",
      title: t("liquidity.out"),
      figure: true,
      render: (row) => <Amount value={row.withdrawals} unit={unit} mono />,
    },
    {
      key: "idle",
      title: t("liquidity.idle"),
      figure: true,
      render: (row) => <Amount value={row.idle} unit={unit} mono />,
    },
  ];
  if (history.length < 2)
    return (
      <div className="panel">
        <Empty title={t("products.chart.empty")} />
      </div>
    );
  return (
    <>
      <Section title={t("liquidity.history")}>
        <div className="panel overflow-hidden pt-4">
          <Chart title={t("liquidity.chart", { unit })} series={series} format={total} height={320} />
        </div>
      </Section>
      <Section title={t("liquidity.flows")} intro={t("liquidity.flows.intro")}>
        <div className="panel overflow-hidden">
          {moved.length === 0 ? (
            <Empty title={t("products.transactions.none")} />
          ) : (
            <Table caption={t("liquidity.flows")} columns={columns} rows={moved} rowKey={(row) => String(row.time)} />
          )}
        </div>
      </Section>
    </>
  );
}
