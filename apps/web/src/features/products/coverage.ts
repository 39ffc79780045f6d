import { formatRate } from "../../i18n/format.ts";

/** Assets / liabilities as a percentage truncated to two digits: 99.996 % must not show as 100 %. */
export function formatCoverage(value: string | null): string {
  return formatRate(value?.replace(/^(-?\d+\.\d{4})\d+$/, "$1"));
}
