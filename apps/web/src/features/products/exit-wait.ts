import type { DemandDetail } from "@aqua/sdk/api/product";
import { parseUnits } from "@aqua/sdk/maths/units";

export type ExitWait = NonNullable<DemandDetail["wait"]>;

/**
 * The time a withdrawal of `amount` (smallest units) takes: 0 when it is paid at once, else the estimate for the next
 * larger amount on the curve, so that no wait is shown too short. "more" when the curve ends below the amount; null
 * when the history is too short or the figures are withheld.
 */
export function exitWaitOf(
  figures: Pick<DemandDetail, "instant_capacity" | "exit_curve"> & Partial<Pick<DemandDetail, "withheld">>,
  { amount, decimals }: { amount: bigint; decimals: number },
): ExitWait | "more" | null {
  const units = (text: string) => parseUnits(text, decimals);
  if (figures.instant_capacity === null || figures.withheld?.length) return null;
  if (amount <= units(figures.instant_capacity)) return { p50: 0, p90: 0 };
  const next = figures.exit_curve.find((point) => units(point.amount) >= amount);
  return next === undefined ? "more" : next.wait;
}
