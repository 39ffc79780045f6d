import type { Range } from "@aqua/sdk/api/product";
import { t } from "../../i18n/i18n.ts";
import { Segmented } from "../../ui/segmented.tsx";
import { ranges } from "./range.ts";

/** Selects the range of a chart. */
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
