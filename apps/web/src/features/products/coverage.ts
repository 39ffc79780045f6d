import { formatRate } from "../../i18n/format.ts";

/** Assets / liabilities as a percentage cut to two digits, never rounded up: 99.996 % is not all of it. */
export function formatCoverage(value: string | null): string {
  return formatRate(value?.replace(/^(-?\d+\.\d{4})\d+$/, "$1"));
}
