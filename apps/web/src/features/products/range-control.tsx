import type { Range } from "@aqua/sdk/api/product";
import { useCallback } from "react";
import { useSearchParams } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { Segmented } from "../../ui/segmented.tsx";

const ranges: readonly Range[] = ["7d", "30d", "90d", "1y", "all"];
const whole: Range = "all";

/** The range of a page's charts, kept in the address, so that a link shows what its sender saw. */
export function useRange(): [Range, (range: Range) => void] {
  const [search, setSearch] = useSearchParams();
  const setRange = useCallback(
    (next: Range) =>
      setSearch(
        (now) => {
          if (next === whole) now.delete("range");
          else now.set("range", next);
          return now;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setSearch],
  );
  return [ranges.find((range) => range === search.get("range")) ?? whole, setRange];
}

/** The range of every chart. */
export function RangeControl({ value, onChange }: { value: Range; onChange: (range: Range) => void }) {
  return (
    <Segmented
      label={t("ui.range.label")}
      value={value}
      onChange={onChange}
      options={ranges.map((range) => ({ value: range, label: t(`ui.range.${range}`) }))}
    />
  );
}
