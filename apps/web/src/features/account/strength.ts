import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/**
 * Estimates how long a password resists guessing, from 0 (none) to 4 (centuries). `own` lists words that a guesser
 * would try first.
 */
export function strengthOf(password: string, own: string[]): number {
  // The estimator's time grows with the square of the length. A password of this length is strong anyway.
  return estimator.check(password.slice(0, 64), own).score;
}
