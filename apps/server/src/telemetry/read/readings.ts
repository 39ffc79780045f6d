import type { ReadingSeries } from "@aqua/sdk/api/telemetry";
import { DAY_MS, HOUR_MS } from "@aqua/sdk/durations";
import { metrics } from "@aqua/sdk/telemetry/metrics";
import { type DueEvery, intervalAt } from "@aqua/sdk/telemetry/quality";
import type { Orm } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { readIntervals } from "../intervals.ts";
import type { Enrolled } from "./deviceStore.ts";
import { startOf } from "./devices.ts";
import { type Point, rawPoints, stepPoints } from "./series.ts";
import { countsOf, readingsBefore, readingsOf, type Span, stepsOf } from "./seriesStore.ts";

export type Resolution = ReadingSeries["resolution"];

/** Most points of one device in an answer. */
const MAX_POINTS = 800;
const LONG = 30 * DAY_MS;
export const spans = { hour: HOUR_MS, day: DAY_MS } as const;

type Series = Pick<ReadingSeries, "from" | "to" | "resolution" | "devices">;

/**
 * Returns the measurements of some devices in a span. Without a requested resolution it uses the finest that has at
 * most 800 points a device; when even days exceed that, the newest 800 days. When readings of the span were dropped for
 * their age, it uses hours or days.
 */
export async function seriesOf(
  tx: Orm,
  { devices, span, resolution }: { devices: readonly Enrolled[]; span: Span; resolution: Resolution | undefined },
): Promise<Series> {
  if (resolution === "hour" || resolution === "day") {
    if (!fits(span, spans[resolution])) throw tooMany();
    return bucketSeries(tx, { devices, range: span, resolution });
  }
  const raw = await rawSeries(tx, { devices, span, mustBe: resolution === "raw" });
  return raw ?? bucketSeries(tx, { devices, range: span, resolution: fits(span, HOUR_MS) ? "hour" : "day" });
}

const tooManyIn = (counts: Awaited<ReturnType<typeof countsOf>>) =>
  [...counts.values()].some(({ least }) => least > MAX_POINTS);

async function rawSeries(
  tx: Orm,
  { devices, span, mustBe }: { devices: readonly Enrolled[]; span: Span; mustBe: boolean },
): Promise<Series | null> {
  const ids = devices.map(({ id }) => id);
  // For a long span the counts of days usually decide, and there are fewer of them to add up.
  const isLong = span.to - span.from > LONG && tooManyIn(await countsOf(tx, { devices: ids, span, length: DAY_MS }));
  const counts = isLong ? null : await countsOf(tx, { devices: ids, span });
  if (counts === null || tooManyIn(counts)) {
    if (mustBe) throw tooMany();
    return null;
  }
  const byDevice = await readingsOf(tx, { devices: ids, range: span, limit: MAX_POINTS * ids.length + 1 });
  if ([...byDevice.values()].some(({ length }) => length > MAX_POINTS)) {
    if (mustBe) throw tooMany();
    return null;
  }
  const hasEnough = (id: number) => (byDevice.get(id)?.length ?? 0) >= (counts.get(id)?.least ?? 0);
  if (!mustBe && !ids.every(hasEnough)) return null;
  const before = await readingsBefore(tx, ids, span.from);
  const intervals = await readIntervals(tx, devices);
  const series = devices.map((device) => {
    const points = rawPoints(device, byDevice.get(device.id) ?? [], before.get(device.id) ?? null);
    return lineOf(device, longestIn(intervals.of(device), span), points);
  });
  return { ...span, resolution: "raw", devices: series };
}

/**
 * Returns the longest of the intervals in force during a span, so that readings from before the interval was shortened
 * do not count as gaps.
 */
function longestIn(intervals: readonly DueEvery[], { from, to }: Span): number {
  const within = intervals.filter(({ since }) => since !== null && since > from && since < to);
  return Math.max(intervalAt(intervals, from), ...within.map(({ interval }) => interval));
}

async function bucketSeries(
  tx: Orm,
  {
    devices,
    range: { from, to },
    resolution,
  }: { devices: readonly Enrolled[]; range: Span; resolution: "hour" | "day" },
): Promise<Series> {
  const step = spans[resolution];
  const end = startOf(to + step - 1, step);
  const start = Math.max(startOf(from, step), end - MAX_POINTS * step);
  const ids = devices.map(({ id }) => id);
  const steps = await stepsOf(tx, { devices: ids, length: step, range: { from: start - step, to: end } });
  return {
    from: start,
    to: end,
    resolution,
    devices: devices.map((device) => {
      const deviceSteps = steps.get(device.id) ?? [];
      const before = deviceSteps[0] && deviceSteps[0].start < start ? deviceSteps[0] : null;
      return lineOf(
        device,
        step,
        stepPoints({ device, length: step, steps: before ? deviceSteps.slice(1) : deviceSteps, before }),
      );
    }),
  };
}

function lineOf(device: Enrolled, step: number, points: Point[]): Series["devices"][number] {
  return { name: device.name, metric: device.metric, ...metrics[device.metric], step, points };
}

function fits({ from, to }: Span, step: number): boolean {
  return startOf(to + step - 1, step) - startOf(from, step) <= MAX_POINTS * step;
}

function tooMany(): ApiError {
  const message = `More than ${MAX_POINTS} points a device; ask for a shorter time or a coarser resolution`;
  return new ApiError("validation_error", message, { details: [{ path: "resolution", message }] });
}
