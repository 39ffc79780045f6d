type Unit = "points" | "ms" | "kB" | "×" | "";

export interface Figure {
  what: string;
  /** The page, or what was pressed. */
  where: string;
  measured: number;
  goal: number;
  unit: Unit;
  /** The goal is the least wanted; else the most. */
  least?: true;
}

const digits: Record<Unit, number> = { points: 0, ms: 0, kB: 1, "×": 1, "": 3 };

/** A figure with its unit, as the table prints it. */
export function withUnit(figure: number, unit: Unit): string {
  const text = Number.isInteger(figure) ? String(figure) : figure.toFixed(digits[unit]);
  return `${text} ${unit === "points" ? "" : unit}`.trim();
}

/** A figure that was not measured (NaN) misses its goal too. */
function isReached({ measured, goal, unit, least }: Figure): boolean {
  const shown = Number(measured.toFixed(digits[unit]));
  return least ? shown >= goal : shown <= goal;
}

/** Prints each goal with its figure, then those that are missed. A missed goal is no failure of the command. */
export function printGoals(figures: readonly Figure[]): void {
  console.log("\n| goal | of | at most, or at least | measured | |\n|---|---|---|---|---|");
  for (const figure of figures) {
    const { what, where, measured, goal, unit, least } = figure;
    const limit = `${least ? "≥" : "≤"} ${withUnit(goal, unit)}`;
    console.log(
      `| ${what} | ${where} | ${limit} | ${withUnit(measured, unit)} | ${isReached(figure) ? "" : "missed"} |`,
    );
  }
  const missed = figures.filter((figure) => !isReached(figure));
  console.log(`\n${figures.length - missed.length} goals of ${figures.length} reached. Missed:`);
  for (const { what, where, measured, unit } of missed) console.log(`- ${what}, ${where}: ${withUnit(measured, unit)}`);
}
