import { printGoals } from "./goals.ts";

/** Times of reads in milliseconds, by name: the median of `most` runs, or of three where a run takes seconds. */
export async function timesOf(
  reads: Record<string, () => Promise<unknown>>,
  most: number,
): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (const [name, read] of Object.entries(reads)) {
    const runs: number[] = [];
    for (let run = 0; run < most; run += 1) {
      const started = performance.now();
      await read();
      runs.push(performance.now() - started);
      if (runs.length >= 3 && performance.now() - started > 2_000) break;
    }
    times.set(name, runs.sort((one, other) => one - other)[Math.floor(runs.length / 2)] ?? Number.NaN);
  }
  return times;
}

/** Prints the times of each read with few rows and with a hundred times as many. The goal is at most twice the time. */
export function printGrowth(few: ReadonlyMap<string, number>, many: ReadonlyMap<string, number>, what: string): void {
  const longOf = (name: string) => many.get(name) ?? Number.NaN;
  for (const [name, time] of few)
    console.log(`${name.padEnd(30)} ${time.toFixed(1).padStart(8)} ms ${longOf(name).toFixed(1).padStart(9)} ms`);
  printGoals(
    [...few].map(([where, time]) => ({
      ...{ what, where, goal: 2, unit: "×" as const },
      // A tenth of a millisecond decides nothing.
      measured: Math.max(longOf(where), 1) / Math.max(time, 1),
    })),
  );
}
