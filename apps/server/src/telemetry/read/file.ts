import { type CsvFormat, csvLine, csvStart } from "@aqua/sdk/csv";
import { metrics } from "@aqua/sdk/telemetry/metrics";
import type { Database } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { firstBucket } from "../deviceStore.ts";
import type { Enrolled } from "./deviceStore.ts";
import { startOf } from "./devices.ts";
import { type Resolution, spans } from "./readings.ts";
import { type Point, rawPoints, stepPoints } from "./series.ts";
import { countsOf, readingsBefore, readingsOf, type Span, stepsOf } from "./seriesStore.ts";

/** A caller requests a longer file in parts. */
const MAX_LINES = 1_000_000;
/** Number of lines that are read and sent at a time. */
const PAGE = 5_000;
const columns = ["device", "metric", "unit", "time", "value", "min", "max", "count", "good"];

/** @throws ApiError `validation_error` if these readings would make a file that is too long */
export async function checkLength({ orm }: Database, devices: readonly Enrolled[], span: Span): Promise<void> {
  const ids = devices.map(({ id }) => id);
  const counts = await countsOf(orm, { devices: ids, span });
  const readings = [...counts.values()].reduce((sum, { least }) => sum + least, 0);
  if (readings <= MAX_LINES) return;
  const message = `More than ${MAX_LINES} readings; ask for a shorter time, one device, or hours`;
  throw new ApiError("validation_error", message, { details: [{ path: "from", message }] });
}

/**
 * Writes the points of a series as one CSV file, by device and oldest first. The points are read while the file is
 * sent.
 */
export async function* csvOf(
  db: Database,
  {
    devices,
    span,
    resolution,
    format,
  }: { devices: readonly Enrolled[]; span: Span; resolution: Resolution; format: CsvFormat },
): AsyncGenerator<string> {
  yield csvStart + csvLine(columns, format);
  for (const device of devices) {
    const pages =
      resolution === "raw" ? rawPages(db, device, span) : bucketPages(db, device, { ...span, step: spans[resolution] });
    for await (const points of pages) yield points.map((point) => lineOf(device, point, format)).join("");
  }
}

async function* rawPages({ orm }: Database, device: Enrolled, { from, to }: Span): AsyncGenerator<Point[]> {
  let before = (await readingsBefore(orm, [device.id], from)).get(device.id) ?? null;
  for (let next = from; ; ) {
    const rows =
      (await readingsOf(orm, { devices: [device.id], range: { from: next, to }, limit: PAGE })).get(device.id) ?? [];
    const last = rows.at(-1);
    if (!last) return;
    yield rawPoints(device, rows, before);
    // No two readings of a device have the same time.
    [before, next] = [last, last.time + 1];
  }
}

async function* bucketPages(
  { orm }: Database,
  device: Enrolled,
  { from, to, step }: Span & { step: number },
): AsyncGenerator<Point[]> {
  const end = startOf(to + step - 1, step);
  const first = await firstBucket(orm, device.id, step);
  if (first === null) return;
  for (let next = Math.max(first, startOf(from, step)); next < end; next += PAGE * step) {
    const span = { from: next - step, to: Math.min(end, next + PAGE * step) };
    const steps = (await stepsOf(orm, { devices: [device.id], length: step, range: span })).get(device.id) ?? [];
    const before = steps[0] && steps[0].start < next ? steps[0] : null;
    yield stepPoints({ device, length: step, steps: before ? steps.slice(1) : steps, before });
  }
}

function lineOf({ name, metric }: Enrolled, { time, value, min, max, count, good }: Point, format: CsvFormat): string {
  const { unit } = metrics[metric];
  return csvLine([name, metric, unit, new Date(time).toISOString(), value, min, max, count, good], format);
}

/** Returns a file name that is valid on every operating system. It contains the first and the last day. */
export function fileName(shortId: string, device: string | undefined, { from, to }: Span): string {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  return `aqua-readings-${device ?? shortId}-${day(from)}-${day(to - 1)}.csv`;
}
