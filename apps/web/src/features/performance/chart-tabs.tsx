import type { Performance, Range } from "@aqua/sdk/api/product";
import type { ReactNode } from "react";
import { formatCount, formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Section } from "../../ui/section.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { useAddressChoice } from "../products/address-choice.ts";
import { RangeControl } from "../products/range-control.tsx";

/** The dates of the first and last observation, and how many there are. */
function spanText(series: Performance["series"]): string | undefined {
  if (series.length < 2) return undefined;
  return t("performance.span", {
    from: formatDate(series[0]?.time),
    to: formatDate(series.at(-1)?.time),
    points: formatCount(series.length),
  });
}

export interface ChartsProps {
  performance: Performance;
  unit: string;
  range: Range;
  onRange: (range: Range) => void;
}

interface ChartTabsProps<Name extends string> extends Pick<ChartsProps, "performance" | "range" | "onRange"> {
  /** The first chart is shown if the address names none. */
  charts: [ChartTab<Name>, ...ChartTab<Name>[]];
}

interface ChartTab<Name extends string> {
  name: Name;
  label: string;
  chart: () => ReactNode;
}

/** The charts of a product over one range; one is shown at a time. */
export function ChartTabs<Name extends string>({ performance, range, onRange, charts }: ChartTabsProps<Name>) {
  const names = charts.map(({ name }) => name);
  const [chosen, choose] = useAddressChoice("chart", names, charts[0].name);
  return (
    <Section
      title={t("performance.history")}
      intro={spanText(performance.series)}
      aside={<RangeControl value={range} onChange={onRange} />}
    >
      <div className="panel overflow-hidden *:*:[[role=tablist]]:px-5">
        <Tabs
          label={t("performance.history")}
          value={chosen}
          onChange={choose}
          tabs={charts.map(({ name, label, chart }) => ({ value: name, label, panel: chosen === name && chart() }))}
        />
      </div>
    </Section>
  );
}
