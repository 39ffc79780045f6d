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
  const fine = (figure: string) => parseUnits(figure, figureDecimals);
  const units = (amount: string) => parseUnits(amount, decimals);
  try {
    const counts = devices.map(({ first, last, counted }) =>
      first && last && counted !== null
        ? { steps: fine(last.value) - fine(first.value), counted: fine(counted) }
        : null,
    );
    const known = counts.filter((one) => one !== null);
    if (!metric || !anchor || known.length < counts.length || known.length === 0)
      return check.expected === null && check.other === null && !["equal", "more", "less"].includes(verdict)
        ? null
        : false;
    const total = known.reduce((sum, { steps }) => sum + steps, 0n);
    const { proceeds, gain } = incomeOf(termsOf(metric, decimals), total, units(check.assets));
    const other = units(report.delta) - gain;
    const sides = other === 0n ? "equal" : other > 0n ? "more" : "less";
    return (
      known.every((one) => one.steps >= 0n && one.steps === one.counted) &&
      // `parseUnits` rejects an empty text with a RangeError.
      fine(check.counted ?? "") === total &&
      units(check.proceeds ?? "") === proceeds &&
      units(check.expected ?? "") === gain &&
      units(check.other ?? "") === other &&
      verdict === (report.delta.startsWith("-") ? "loss" : sides)
    );
  } catch (error) {
    // The figure is not a number, or it has more digits than its unit.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
