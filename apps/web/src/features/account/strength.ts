import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/** How long a password withstands guessing, from 0 (at once) to 4 (centuries). `own` are words a guesser would try first. */
export function strengthOf(password: string, own: string[]): number {
  // The work grows with the square of the length, and what is this long is strong.
  return estimator.check(password.slice(0, 64), own).score;
}
