import type { Liquidity } from "@aqua/sdk/api/product";
import { useMemo } from "react";
import { formatAmount, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Chart } from "../../ui/chart/chart.tsx";
import { PartsBar } from "../../ui/chart/parts-bar.tsx";
import type { ChartSeries } from "../../ui/chart/types.ts";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";
import { daysText, inDays, waitText } from "./wait-text.ts";

/** How long an exit takes by amount, and the scenarios of many exits at once. */
export function Exits({ liquidity, unit }: { liquidity: Liquidity; unit: string }) {
  const { exit_curve: curve, scenarios } = liquidity;
  const lines = useMemo<ChartSeries[]>(() => {
    const points = (part: "p50" | "p90") =>
      [...curve]
        .sort((a, b) => Number(a.amount) - Number(b.amount))
        .map(({ amount, wait }) => ({ time: Number(amount), value: wait && inDays(wait[part]) }));
    return [
      { name: t("liquidity.p90"), colour: 2, points: points("p90") },
      { name: t("liquidity.p50"), colour: 1, area: true, points: points("p50") },
    ];
  }, [curve]);
  const across = useMemo(
    () => ({
      name: t("liquidity.curve.amount"),
      format: (value: number) => `${formatAmount(value.toFixed(2), { compact: true, digits: 1 })} ${unit}`,
    }),
    [unit],
  );
  const known = curve.filter((point) => point.wait !== null).length;
  return (
    <>
      {(curve.length > 0 || liquidity.type === "demand_deposit") && (
        <Section title={t("liquidity.curve")} intro={t("liquidity.curve.intro")}>
          <div className="panel overflow-hidden pt-4">
            {known > 1 ? (
              <Chart
                title={t("liquidity.curve.title", { unit })}
                series={lines}
                across={across}
                format={daysText}
                fromZero
              />
            ) : (
              <Empty title={t("liquidity.curve.none")}>{t("liquidity.wait.none")}</Empty>
            )}
          </div>
        </Section>
      )}
      {scenarios.length > 0 && (
        <Section title={t("liquidity.whatIf")} intro={t("liquidity.whatIf.intro")}>
          <ul className="grid gap-5 lg:grid-cols-3">
            {scenarios.map((scenario) => (
              <li key={scenario.part} className="panel flex flex-col gap-4 p-5">
                <div>
                  <h3 className="text-16">
                    {t("liquidity.whatIf.title", { part: formatRate(scenario.part, { digits: 0 }) })}
                  </h3>
                  <p className="font-mono text-14 text-muted">
                    {formatAmount(scenario.amount)} {unit}
                  </p>
                </div>
                <PartsBar
                  label={t("liquidity.whatIf.title", { part: formatRate(scenario.part, { digits: 0 }) })}
                  format={(value) => `${formatAmount(value)} ${unit}`}
                  parts={[
                    { key: "instant", name: t("liquidity.whatIf.instant"), value: scenario.instant, colour: 1 },
                    { key: "queued", name: t("liquidity.whatIf.queued"), value: scenario.queued, colour: 2 },
                  ]}
                />
                <p className="mt-auto text-14 text-muted">
                  {scenario.wait ? waitText(scenario.wait) : t("liquidity.wait.none")}
                </p>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
