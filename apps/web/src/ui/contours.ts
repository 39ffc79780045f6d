import { seededRandom } from "./seed.ts";

const columns = 72;
const rows = 36;
const size = 10;
const levels = 9;

/** A sea floor of seeded hills and hollows on a slope. Returns heights on a grid of (columns + 1) × (rows + 1). */
function seaFloor(seed: string): number[][] {
  const random = seededRandom(seed);
  const hills = Array.from({ length: 6 }, () => ({
    x: random() * columns,
    y: random() * rows,
    width: 6 + random() * 16,
    height: random() < 0.3 ? -0.6 : 0.5 + random() * 0.7,
  }));
  const slope = random() * Math.PI * 2;
  return Array.from({ length: rows + 1 }, (_, y) =>
    Array.from({ length: columns + 1 }, (_, x) => {
      const tilt = (Math.cos(slope) * x) / columns + (Math.sin(slope) * y) / rows;
      return hills.reduce((sum, hill) => {
        const distance = ((x - hill.x) ** 2 + (y - hill.y) ** 2) / hill.width ** 2;
        return sum + hill.height * Math.exp(-distance);
      }, tilt * 0.8);
    }),
  );
}

const round = (value: number) => Math.round(value * size * 10) / 10;

interface Cell {
  x: number;
  y: number;
  /** Heights of its corners, clockwise from the upper left one. */
  corners: readonly [number, number, number, number];
}

/** The part of the contour at `level` in a cell, by marching squares. */
function segments({ x, y, corners }: Cell, level: number): string {
  const [a, b, c, d] = corners.map((height) => height - level) as [number, number, number, number];
  const crossings: string[] = [];
  if (a < 0 !== b < 0) crossings.push(`${round(x + a / (a - b))} ${round(y)}`);
  if (b < 0 !== c < 0) crossings.push(`${round(x + 1)} ${round(y + b / (b - c))}`);
  if (c < 0 !== d < 0) crossings.push(`${round(x + d / (d - c))} ${round(y + 1)}`);
  if (d < 0 !== a < 0) crossings.push(`${round(x)} ${round(y + a / (a - d))}`);
  let path = "";
  for (let index = 0; index + 1 < crossings.length; index += 2) path += `M${crossings[index]}L${crossings[index + 1]}`;
  return path;
}

/**
 * The paths of fine contour lines as on a sea chart, lowest first, in a field of 720 by 360; deterministic for a seed.
 */
export function contours(seed: string): string[] {
  const floor = seaFloor(seed);
  const heights = floor.flat();
  const low = Math.min(...heights);
  const high = Math.max(...heights);
  const lines = Array.from({ length: levels }, (_, index) => ({
    level: low + ((high - low) * (index + 0.7)) / (levels + 0.4),
    path: "",
  }));
  for (const [y, upper] of floor.slice(0, -1).entries()) {
    const lower = floor[y + 1] ?? [];
    for (let x = 0; x < columns; x += 1) {
      const corners = [upper[x] ?? 0, upper[x + 1] ?? 0, lower[x + 1] ?? 0, lower[x] ?? 0] as const;
      const lowest = Math.min(...corners);
      const highest = Math.max(...corners);
      // Most cells are crossed by one level or none.
      for (const line of lines)
        if (lowest < line.level && line.level <= highest) line.path += segments({ x, y, corners }, line.level);
    }
  }
  return lines.map(({ path }) => path);
}
