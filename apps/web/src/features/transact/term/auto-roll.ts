import { DAY_MS } from "@aqua/sdk/durations";

/** How long after maturity an instruction can be carried out, in milliseconds; AUTO_ROLL_WINDOW of the contract. */
const autoRollWindow = 3 * DAY_MS;

/**
 * The last time at which the instruction of a receipt that matures at `maturity` can be carried out; both in Unix
 * milliseconds.
 */
export function autoRollUntil(maturity: number): number {
  return maturity + autoRollWindow;
}
