import { bisector } from "d3-array";
import { area, curveLinear, curveStepAfter, line } from "d3-shape";
import { type Extent, momentTicks, timeTicks, valueExtent, valueTicks } from "./scale.ts";
import { textured } from "./texture.ts";
import type { ChartMarker, ChartPoint, ChartProps, ChartSeries } from "./types.ts";

/**
 * One cursor position: a time, and each series' value at that time. A value is undefined if the series has no point
 * there.
 */
export interface Column {
  x: number;
  values: (string | null | undefined)[];
  /** Minimum and maximum for each value; undefined if there are none. */
  ranges: ChartPoint["range"][];
  markers: ChartMarker[];
}

/** All times at which a series has a point, ascending, each with the markers nearest to it. */
export function columnsOf(series: readonly ChartSeries[], markers: readonly ChartMarker[]): Column[] {
  const pointsByTime = series.map((line) => new Map(line.points.map((point) => [point.time, point])));
  const columns = [...new Set(series.flatMap((line) => line.points.map((point) => point.time)))]
    .sort((a, b) => a - b)
    .map(
      (x): Column => ({
        x,
        values: pointsByTime.map((points) => points.get(x)?.value),
        ranges: pointsByTime.map((points) => points.get(x)?.range),
        markers: [],
      }),
    );
  for (const marker of shownMarkers(columns, markers))
    columns[nearestColumn(columns, marker.time)]?.markers.push(marker);
  return columns;
}

/** Removes markers outside the drawn range. Otherwise they would attach to an unrelated point. */
function shownMarkers(columns: readonly Column[], markers: readonly ChartMarker[]): ChartMarker[] {
  const first = columns[0]?.x ?? 0;
  const last = columns.at(-1)?.x ?? 0;
  return markers.filter((marker) => marker.time >= first && marker.time <= last);
}

const { center } = bisector((column: Column) => column.x);

/** Index of the column nearest to x; 0 if there are no columns. */
export function nearestColumn(columns: readonly Column[], x: number): number {
  return center(columns, x);
}

/** The new cursor position after a key; null for keys that do not move the cursor. */
export function movedCursor(key: string, cursor: number | null, count: number): number | null {
  const leap = Math.max(1, Math.round(count / 10));
  const last = count - 1;
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -leap, PageDown: leap };
  if (key === "Home") return 0;
  if (key === "End") return last;
  const step = steps[key];
  if (step === undefined) return null;
  // The first press shows the newest point.
  return cursor === null ? last : Math.min(last, Math.max(0, cursor + step));
}

interface RunPoint {
  time: number;
  value: number;
  low: number;
  high: number;
}

/** Splits points into runs without gaps. A point without a range uses its value as both limits. */
function runsOf(points: readonly ChartPoint[]): RunPoint[][] {
  const runs: RunPoint[][] = [];
  let open: RunPoint[] | null = null;
  for (const { time, value, range } of [...points].sort((a, b) => a.time - b.time)) {
    if (value === null) {
      open = null;
      continue;
    }
    if (!open) {
      open = [];
      runs.push(open);
    }
    open.push({ time, value: Number(value), low: Number(range?.low ?? value), high: Number(range?.high ?? value) });
  }
  return runs;
}

const round = (pixels: number) => Math.round(pixels * 100) / 100;
export const foot = 26;
const head = 10;
/** Maximum number of bars that have their own labels. */
const fewBars = 16;
/** Width in pixels of a monospace character at 11 px. */
const character = 6.7;

export interface Plot {
  width: number;
  height: number;
  /** Right end of the drawing area. The labels of the scale are to the right of it. */
  right: number;
  bottom: number;
  columns: Column[];
  toX: (x: number) => number;
  fromX: (pixels: number) => number;
  toY: (value: number) => number;
  across: { at: number; text: string; anchor: "start" | "middle" | "end" }[];
  up: { at: number; text: string }[];
  lines: {
    colour: number;
    /** Undefined for a solid line. */
    dash: string | undefined;
    path: string;
    area: string | null;
    /** The area between the minimum and maximum of the points. */
    band: string | null;
    dots: { x: number; y: number }[];
  }[];
  bars: { colour: number; hollow: boolean; x: number; y: number; width: number; height: number }[];
  ends: { colour: number; x: number; y: number; textY: number; text: string }[];
  flags: { x: number; tone: ChartMarker["tone"]; small: boolean }[];
}

export interface PlotLabels {
  /** Formats the label of a tick on the time axis. */
  tick: (time: number, unit: "hour" | "day" | "month" | "year") => string;
}

/**
 * Computes the geometry of a chart of a given width in pixels. It does not depend on the DOM, so tests can check it.
 */
export function plotOf(
  { series, markers = [], format, height = 280, across, periods, fromZero = false }: ChartProps,
  width: number,
  words: PlotLabels,
): Plot {
  const columns = columnsOf(series, markers);
  const drawn = textured(series);
  const barred = drawn.filter((line) => line.bars);
  const values = series.flatMap((line) =>
    line.points.flatMap(({ value, range }) =>
      value === null ? [] : [value, range?.low ?? value, range?.high ?? value].map(Number),
    ),
  );
  const y = valueExtent(values, fromZero || barred.length > 0);
  const bottom = height - foot;
  const toY = (value: number) => round(bottom - ((value - y.min) / (y.max - y.min)) * (bottom - head));

  const ticks = valueTicks(y, Math.max(2, Math.floor((bottom - head) / 56)));
  const up = distinct(ticks.map((tick) => ({ at: toY(tick), text: format(tick.toFixed(9)) })));
  const lasts = series.map((line) => (line.bars ? null : lastOf(line)));
  const longest = Math.max(
    ...up.map(({ text }) => text.length),
    ...lasts.map((last) => (last ? format(last.value).length : 0)),
  );
  const left = 20;
  const right = Math.max(left + 40, width - 20 - Math.ceil(longest * character) - 8);

  const x = extentAcross(columns, barred.length > 0);
  const toX = (at: number) => round(left + ((at - x.min) / (x.max - x.min)) * (right - left));
  const fromX = (pixels: number) => x.min + ((pixels - left) / (right - left)) * (x.max - x.min);
  const mostAcross = Math.max(2, Math.floor((right - left) / 84));

  const slot = columns.length > 1 ? (right - left) / columns.length : (right - left) / 3;
  const barWidth = Math.max(2, Math.min(28, (slot * 0.7) / Math.max(1, barred.length)));
  const inside = shownMarkers(columns, markers).map((marker) => ({ x: toX(marker.time), tone: marker.tone }));
  const room = inside.length > 0 ? (right - left) / inside.length : 0;

  /** Periods, and a small number of bars, are labelled with their starts. */
  function timesAcross() {
    const few = barred.length > 0 && columns.length > 1 && columns.length <= fewBars;
    return periods || few ? momentTicks(columns.map((column) => column.x)) : timeTicks(x, mostAcross);
  }

  return {
    width,
    height,
    right,
    bottom,
    columns,
    toX,
    fromX,
    toY,
    up,
    across: thinned(
      across
        ? valueTicks(x, mostAcross).map((at) => ({ at: toX(at), text: across.format(at) }))
        : timesAcross().map(({ time, unit }) => ({ at: toX(time), text: words.tick(time, unit) })),
    ).map((tick) => ({
      ...tick,
      anchor: anchorOf({ at: tick.at, half: (tick.text.length * character) / 2, left, right }),
    })),
    lines: drawn
      .filter((line) => !line.bars)
      .map((line) => {
        const runs = runsOf(line.points).map((run) =>
          run.map((point) => ({
            x: toX(point.time),
            y: toY(point.value),
            low: toY(point.low),
            high: toY(point.high),
          })),
        );
        const base = toY(Math.max(y.min, Math.min(y.max, 0)));
        return {
          colour: line.colour,
          dash: line.dash,
          path: runs.map((run) => pathOf(run, line.steps)).join(""),
          area: line.area ? runs.map((run) => areaOf(run, line.steps, fromZero ? base : bottom)).join("") : null,
          band: line.points.some(({ range }) => range) ? runs.map(bandOf).join("") : null,
          dots: runs.flatMap((run) => (run.length === 1 ? run : [])),
        };
      }),
    bars: barred.flatMap((line, index) =>
      line.points.flatMap(({ time, value }) => {
        if (value === null || Number(value) === 0) return [];
        const [from, to] = [toY(0), toY(Number(value))];
        return {
          colour: line.colour,
          hollow: line.hollow,
          x: round(toX(time) + (index - barred.length / 2) * barWidth),
          y: Math.min(from, to),
          width: Math.max(1, barWidth - 1),
          height: Math.max(1, Math.abs(from - to)),
        };
      }),
    ),
    ends: apart(
      series.flatMap((line, index) => {
        const last = lasts[index];
        if (!last) return [];
        const at = toY(Number(last.value));
        return { colour: line.colour, x: toX(last.time), y: at, textY: at, text: format(last.value) };
      }),
      bottom,
    ),
    flags: flagsOf(inside, room),
  };
}

/**
 * If not all flags fit, losses have flags and the other markers become ticks behind them, as dense as they can be
 * distinguished.
 */
function flagsOf(marks: readonly Omit<Plot["flags"][number], "small">[], room: number): Plot["flags"] {
  if (room >= 9) return marks.map((mark) => ({ ...mark, small: false }));
  let last = Number.NEGATIVE_INFINITY;
  const inOrder = [...marks].sort((a, b) => a.x - b.x);
  const ticks = inOrder.filter(({ x, tone }) => {
    if (tone === "loss" || x - last < 3) return false;
    last = x;
    return true;
  });
  const losses = marks.filter(({ tone }) => tone === "loss");
  return [...ticks.map((tick) => ({ ...tick, small: true })), ...losses.map((flag) => ({ ...flag, small: false }))];
}

/** Removes ticks with the same label as the previous one, which occur if the differing digits are not shown. */
function distinct<Tick extends { text: string }>(ticks: readonly Tick[]): Tick[] {
  return ticks.filter((tick, index) => tick.text !== ticks[index - 1]?.text);
}

function lastOf(line: ChartSeries): { time: number; value: string } | null {
  let last: { time: number; value: string } | null = null;
  for (const { time, value } of line.points) if (value !== null && (!last || time >= last.time)) last = { time, value };
  return last;
}

/** The horizontal extent. Bars need half a step on either side, and a single time needs some width. */
function extentAcross(columns: readonly Column[], bars: boolean): Extent {
  const first = columns[0]?.x ?? 0;
  const last = columns.at(-1)?.x ?? 1;
  const half = columns.length > 1 ? (last - first) / (columns.length - 1) / 2 : Math.abs(first) * 0.001 || 1;
  return bars || first === last ? { min: first - half, max: last + half } : { min: first, max: last };
}

/** Selects every second, third, … tick, so that labels do not overlap. */
function thinned<Tick extends { at: number; text: string }>(ticks: Tick[]): Tick[] {
  const wide = Math.max(0, ...ticks.map(({ text }) => text.length)) * character + 12;
  const apart = Math.min(...ticks.slice(1).map(({ at }, index) => at - (ticks[index]?.at ?? 0)));
  const step = Math.max(1, Math.ceil(wide / apart));
  return ticks.filter((_, index) => index % step === 0);
}

function anchorOf({ at, half, left, right }: { at: number; half: number; left: number; right: number }) {
  if (at - half < left - 18) return "start" as const;
  return at + half > right + 18 ? ("end" as const) : ("middle" as const);
}

type Spot = { x: number; y: number };

const curve = (steps: boolean | undefined) => (steps ? curveStepAfter : curveLinear);
const x = (spot: Spot) => spot.x;
const y = (spot: Spot) => spot.y;

function pathOf(run: Spot[], steps?: boolean): string {
  return line(x, y).digits(2).curve(curve(steps))(run) ?? "";
}

function areaOf(run: Spot[], steps: boolean | undefined, base: number): string {
  return (run.length > 1 && area(x, base, y).digits(2).curve(curve(steps))(run)) || "";
}

type Stretch = Spot & { low: number; high: number };

function bandOf(run: Stretch[]): string {
  const drawn = area<Stretch>(
    x,
    (spot) => spot.low,
    (spot) => spot.high,
  ).digits(2);
  return (run.length > 1 && drawn(run)) || "";
}

const lineHeight = 14;

/** Moves overlapping labels at the ends of lines apart, within the drawing area. */
function apart<End extends { textY: number }>(ends: End[], bottom: number): End[] {
  const sorted = [...ends].sort((a, b) => a.textY - b.textY);
  sorted.forEach((end, index) => {
    const above = sorted[index - 1];
    if (above) end.textY = Math.max(end.textY, above.textY + lineHeight);
  });
  for (let index = sorted.length - 1, limit = bottom - 2; index >= 0; index -= 1, limit -= lineHeight) {
    const end = sorted[index];
    if (end) end.textY = Math.min(end.textY, limit);
  }
  return sorted;
}
