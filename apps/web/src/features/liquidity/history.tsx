import type { Liquidity } from "@aqua/sdk/api/product";
import { useMemo } from "react";
import { formatAmount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Chart } from "../../ui/chart/chart.tsx";
import type { ChartSeries } from "../../ui/chart/types.ts";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";
import { daysOf, weeklyFlows } from "../products/liquidity-figures.ts";
import { useRange } from "../products/range.ts";
import { RangeControl } from "../products/range-control.tsx";

const total = (value: string) => formatAmount(value, { digits: 0 });

/** History of available cash and queue, and weekly deposits and withdrawals. */
export function History({ liquidity, unit }: { liquidity: Liquidity; unit: string }) {
  const [range, setRange] = useRange();
  const { history } = liquidity;
  const now = liquidity.as_of.time;
  const days = useMemo(() => daysOf(history, range, now), [history, range, now]);
  const levels = useMemo<ChartSeries[]>(() => {
    const points = (part: "idle" | "total_assets" | "queued") =>
      days.map((day) => ({ time: day.time, value: day[part] }));
    return [
      { name: t("liquidity.total"), colour: 3, points: points("total_assets") },
      { name: t("liquidity.idle"), colour: 1, area: true, points: points("idle") },
      ...(liquidity.queue
        ? [{ name: t("liquidity.queue.waiting"), colour: 2 as const, points: points("queued") }]
        : []),
    ];
  }, [days, liquidity.queue]);
  const flows = useMemo<ChartSeries[]>(() => {
    const byWeek = weeklyFlows(history, range);
    return [
      {
        name: t("liquidity.in"),
        colour: 1,
        bars: true,
        points: byWeek.map((week) => ({ time: week.time, value: week.deposits })),
      },
      {
        name: t("liquidity.out"),
        colour: 2,
        bars: true,
        points: byWeek.map((week) => ({ time: week.time, value: week.withdrawals })),
      },
    ];
  }, [history, range]);
  return (
    <>
      <Section title={t("liquidity.history")} aside={<RangeControl value={range} onChange={setRange} />}>
        <div className="panel overflow-hidden pt-4">
          {days.length < 2 ? (
            <Empty title={t("products.chart.empty")}>{t("products.chart.emptyText")}</Empty>
          ) : (
            <Chart title={t("liquidity.chart", { unit })} series={levels} format={total} height={300} fromZero />
          )}
        </div>
      </Section>
      <Section title={t("liquidity.flows")} intro={t("liquidity.flows.intro")}>
        <div className="panel overflow-hidden pt-4">
          {flows[0]?.points.length ? (
            <Chart title={t("liquidity.flows.title", { unit })} series={flows} format={total} height={240} />
          ) : (
            <Empty title={t("products.transactions.none")} />
          )}
        </div>
      </Section>
    </>
  );
}
