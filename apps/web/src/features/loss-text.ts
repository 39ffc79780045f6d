import { formatRate } from "../i18n/format.ts";
import { isZero } from "./decimal.ts";

/** A past loss as a rate, as signed as it is given; a small one has more digits rather than 0.00%. */
export function lossText(loss: string): string {
  return formatRate(loss, { digits: !isZero(loss) && Math.abs(Number(loss)) < 0.0001 ? 4 : 2 });
}
