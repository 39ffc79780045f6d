import { formatRate } from "../i18n/format.ts";
import { isZero } from "./decimal.ts";

/** A past loss as a rate with the sign of its input. A small loss has more digits, so that it is not shown as 0.00%. */
export function lossText(loss: string): string {
  return formatRate(loss, { digits: !isZero(loss) && Math.abs(Number(loss)) < 0.0001 ? 4 : 2 });
}
