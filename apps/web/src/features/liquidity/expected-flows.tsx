import type { Liquidity } from "@aqua/sdk/api/product";
import { useMemo } from "react";
import { formatAmount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Chart } from "../../ui/chart/chart.tsx";
import type { ChartSeries } from "../../ui/chart/types.ts";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";
import { sumAmounts } from "../decimal.ts";

const total = (value: string) => formatAmount(value, { digits: 0 });

/** The amount that the queue needs beyond the idle money. Null if nothing waits or the idle money suffices. */
function lackingOf({ queue, idle }: Liquidity): string | null {
  if (!queue || queue.requests === 0) return null;
  const lacking = sumAmounts([queue.value, `-${idle}`]);
  return lacking.startsWith("-") ? null : lacking;
}

/**
 * Charts the expected inflow by date against the amount that the queue lacks. The queue is paid where a line reaches
 * that amount.
 */
export function InflowAhead({ liquidity, unit }: { liquidity: Liquidity; unit: string }) {
  const { inflow_ahead: inflow, as_of } = liquidity;
  const lacking = lackingOf(liquidity);
  const series = useMemo<ChartSeries[]>(() => {
    const start = { time: as_of.time, p50: "0", p90: "0" };
    const points = (part: "p50" | "p90") => [start, ...inflow].map((week) => ({ time: week.time, value: week[part] }));
    return [
      { name: t("liquidity.ahead.p50"), colour: 1, area: true, points: points("p50") },
      { name: t("liquidity.ahead.p90"), colour: 2, points: points("p90") },
      ...(lacking === null
        ? []
        : [
            {
              name: t("liquidity.ahead.lacking"),
              colour: 3 as const,
              points: [start, ...inflow].map(({ time }) => ({ time, value: lacking })),
            },
          ]),
    ];
  }, [inflow, as_of.time, lacking]);
  return (
    <Section
      title={t("liquidity.ahead")}
      intro={t(lacking === null ? "liquidity.ahead.free" : "liquidity.ahead.intro")}
    >
      <div className="panel overflow-hidden pt-4">
        {inflow.length > 0 ? (
          <Chart title={t("liquidity.ahead.title", { unit })} series={series} format={total} height={240} fromZero />
        ) : (
          <Empty title={t("liquidity.ahead.none")}>{t("liquidity.wait.none")}</Empty>
        )}
      </div>
    </Section>
  );
}

/** Charts, for a time deposit, what matures week by week and the usual inflow. */
export function MaturitiesAhead({ liquidity, unit }: { liquidity: Liquidity; unit: string }) {
  const { weeks, winding_down } = liquidity;
  const series = useMemo<ChartSeries[]>(
    () => [
      {
        name: t("liquidity.maturities"),
        colour: 2,
        bars: true,
        points: weeks.map((week) => ({ time: week.start, value: week.maturities })),
      },
      {
        name: t("liquidity.inflow"),
        colour: 1,
        bars: true,
        points: weeks.map((week) => ({ time: week.start, value: week.expected_inflow })),
      },
    ],
    [weeks],
  );
  const hasFigures = series.some((line) => line.points.some(({ value }) => value !== null && Number(value) !== 0));
  return (
    <Section title={t("liquidity.maturing")} intro={t("liquidity.maturing.intro")}>
      <div className="panel overflow-hidden pt-4">
        {hasFigures ? (
          <Chart
            title={t("liquidity.maturing.title", { unit })}
            series={series}
            periods="day"
            format={total}
            height={240}
          />
        ) : (
          <Empty title={t("liquidity.maturing.none")}>
            {t(winding_down ? "liquidity.weeks.none" : "liquidity.maturing.noneText")}
          </Empty>
        )}
      </div>
    </Section>
  );
}
