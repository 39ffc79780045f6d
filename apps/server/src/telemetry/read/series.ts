import type { ReadingSeries } from "@aqua/sdk/api/telemetry";
import { figureOf, meanOf } from "@aqua/sdk/telemetry/figure";
import { metrics } from "@aqua/sdk/telemetry/metrics";
import type { Enrolled } from "./deviceStore.ts";
import type { RawReading, Step } from "./seriesStore.ts";

export type Point = ReadingSeries["devices"][number]["points"][number];

/**
 * Returns the points of single readings, oldest first. A register's value is the amount counted since the previous
 * reading; it is null when that reading is missing or flawed. `before` is the reading before the first.
 */
export function rawPoints(device: Enrolled, readings: Iterable<RawReading>, before: RawReading | null): Point[] {
  const isRegister = metrics[device.metric].kind === "register";
  let last = before;
  const points: Point[] = [];
  for (const reading of readings) {
    const { seq, time, value, flaw } = reading;
    const shown = figureOf(value, device.exponent);
    const follows = last !== null && last.flaw === null && last.seq === seq - 1;
    const counted = follows && last ? figureOf(value - last.value, device.exponent) : null;
    const good = flaw === null;
    points.push({
      time,
      value: good ? (isRegister ? counted : shown) : null,
      min: shown,
      max: shown,
      count: 1,
      good: good ? 1 : 0,
    });
    last = reading;
  }
  return points;
}

/**
 * Returns the points of hours or days (`length` in milliseconds), oldest first. A gauge's value is its mean. A
 * register's value is the amount counted from the end of the previous step to the end of this one; it is null when the
 * previous step is missing or has no good reading. `before` is the step before the first.
 */
export function stepPoints({
  device,
  length,
  steps,
  before,
}: {
  device: Enrolled;
  length: number;
  steps: Iterable<Step>;
  before: Step | null;
}): Point[] {
  const { metric, exponent } = device;
  const isRegister = metrics[metric].kind === "register";
  const figure = (value: bigint | null) => (value === null ? null : figureOf(value, exponent));
  let previous = before;
  const points: Point[] = [];
  for (const step of steps) {
    const { start, count, good, min, max, sum, last } = step;
    const dial = previous?.start === start - length ? previous.last : null;
    const counted = last === null || dial === null ? null : figureOf(last - dial, exponent);
    const mean = good === 0 ? null : meanOf(sum, BigInt(good), exponent);
    points.push({ time: start, value: isRegister ? counted : mean, min: figure(min), max: figure(max), count, good });
    previous = step;
  }
  return points;
}
