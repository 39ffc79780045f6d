import { autoRollWindow } from "@aqua/sdk/maths/term";

/**
 * The last time at which the instruction of a receipt that matures at `maturity` can be carried out; both in Unix
 * milliseconds.
 */
export function autoRollUntil(maturity: number): number {
  return maturity + autoRollWindow * 1_000;
}
