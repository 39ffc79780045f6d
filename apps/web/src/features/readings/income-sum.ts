import type { IncomeCheck } from "@aqua/sdk/api/telemetry";
import { parseUnits } from "@aqua/sdk/maths/units";
import { figureDecimals } from "@aqua/sdk/telemetry/figure";
import { incomeOf, termsOf } from "@aqua/sdk/telemetry/income";

/**
 * True if a report's sum and verdict follow from the readings, formula and deposits that the site lists with it. Null
 * if one of these is missing and the site therefore states no sum.
 */
export function sumFollows(check: IncomeCheck): boolean | null {
  const { metric, devices, anchor, report, verdict } = check;
  // An amount of the API has all decimals of its asset.
  const decimals = check.assets.split(".")[1]?.length ?? 0;
  const figureUnits = (figure: string) => parseUnits(figure, figureDecimals);
  const assetUnits = (amount: string) => parseUnits(amount, decimals);
  try {
    const counts = devices.map(({ first, last, counted }) =>
      first && last && counted !== null
        ? { steps: figureUnits(last.value) - figureUnits(first.value), counted: figureUnits(counted) }
        : null,
    );
    const complete = counts.filter((count) => count !== null);
    if (!metric || !anchor || complete.length < counts.length || complete.length === 0)
      return check.expected === null && check.other === null && !["equal", "more", "less"].includes(verdict)
        ? null
        : false;
    const total = complete.reduce((sum, { steps }) => sum + steps, 0n);
    const { proceeds, gain } = incomeOf(termsOf(metric, decimals), total, assetUnits(check.assets));
    const other = assetUnits(report.delta) - gain;
    const sides = other === 0n ? "equal" : other > 0n ? "more" : "less";
    return (
      complete.every((count) => count.steps >= 0n && count.steps === count.counted) &&
      // `parseUnits` rejects an empty text with a RangeError.
      figureUnits(check.counted ?? "") === total &&
      assetUnits(check.proceeds ?? "") === proceeds &&
      assetUnits(check.expected ?? "") === gain &&
      assetUnits(check.other ?? "") === other &&
      verdict === (report.delta.startsWith("-") ? "loss" : sides)
    );
  } catch (error) {
    // The figure is not a number, or it has more digits than its unit.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
