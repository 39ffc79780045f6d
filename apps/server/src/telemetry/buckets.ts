import { DAY_MS, HOUR_MS } from "@aqua/sdk/durations";
import type { ValidationIssue } from "@aqua/sdk/telemetry/quality";
import type { readingBucket } from "./schema.ts";

export type Bucket = typeof readingBucket.$inferSelect;

const spans = [HOUR_MS, DAY_MS];

interface BucketReading {
  time: number;
  value: bigint;
  flaw: ValidationIssue | null;
}

/** Aggregates the readings of one device, in order of time, by hour and by day. */
export function bucketsOf(device: number, readings: readonly BucketReading[]): Bucket[] {
  return spans.flatMap((span) => {
    const buckets = new Map<number, Bucket>();
    for (const { time, value, flaw } of readings) {
      const start = Math.floor(time / span) * span;
      let bucket = buckets.get(start);
      if (bucket === undefined) {
        bucket = {
          device,
          span,
          start,
          count: 0,
          bounds: 0,
          jump: 0,
          frozen: 0,
          backwards: 0,
          min: null,
          max: null,
          sum: 0n,
          firstTime: null,
          firstValue: null,
          lastTime: null,
          lastValue: null,
        };
        buckets.set(start, bucket);
      }
      bucket.count += 1;
      if (flaw !== null) {
        bucket[flaw] += 1;
        continue;
      }
      if (bucket.min === null || value < bucket.min) bucket.min = value;
      if (bucket.max === null || value > bucket.max) bucket.max = value;
      bucket.sum += value;
      bucket.firstTime ??= time;
      bucket.firstValue ??= value;
      bucket.lastTime = time;
      bucket.lastValue = value;
    }
    return [...buckets.values()];
  });
}
