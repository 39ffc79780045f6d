import type { Liquidity } from "@aqua/sdk/api/product";
import { formatAmount, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { PartsBar } from "../../ui/chart/parts-bar.tsx";
import { waitText } from "./wait-text.ts";

/** Shows the result if a part of all deposits were withdrawn today. */
export function Exits({ liquidity: { scenarios }, unit }: { liquidity: Liquidity; unit: string }) {
  return (
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
  );
}
