import type { TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import { isTooDeep } from "../../jsonDepth.ts";
import type { Ingest } from "../ingest.ts";

/** Maximum size of a message in bytes: 500 readings with room to spare. */
export const MAX_BYTES = 512 * 1024;

const readingsPrefix = "aqua/readings/";

/** Topic to which a device sends its readings. */
export const readingsTopic = (device: string) => `${readingsPrefix}${device}`;
export const allReadings = `${readingsPrefix}+`;
/** Topic on which a device receives the outcome. */
export const answersTopic = (device: string) => `aqua/answers/${device}`;

/** Returns the device that a topic belongs to, or null for any other topic. */
export function deviceOf(topic: string): string | null {
  if (!topic.startsWith(readingsPrefix)) return null;
  const device = topic.slice(readingsPrefix.length);
  return /^[a-z0-9][a-z0-9-]{0,30}$/.test(device) ? device : null;
}

/**
 * Parses one reading, or `{"readings": […]}` as over HTTP. Any other content counts as one malformed reading, which
 * is rejected and recorded separately.
 */
function readingsIn(payload: Uint8Array): unknown[] {
  const text = Buffer.from(payload).toString("utf8");
  if (isTooDeep(text)) return [text];
  try {
    const message: unknown = JSON.parse(text);
    const { readings } = (message ?? {}) as { readings?: unknown };
    if (Array.isArray(readings) && readings.length > 0 && readings.length <= 500) return readings;
    return [message];
  } catch {
    return [text];
  }
}

/**
 * Stores one message and returns its answer after the commit. While the ingest is full, the message waits. The sender
 * gets no acknowledgement, so it slows down and loses nothing.
 * @throws if the server stops or the database fails; nothing may then be acknowledged
 */
export function takeMessage(
  ingest: Pick<Ingest, "take">,
  device: string,
  payload: Uint8Array,
): Promise<TelemetryAnswer> {
  return ingest.take(readingsIn(payload), { via: "mqtt", device, waits: true });
}

/**
 * Returns the text of a rejection that fits into a reason string. Returns null if any part of the message was stored.
 */
export function refusalOf({ accepted, duplicates, rejected }: TelemetryAnswer): string | null {
  const [first] = rejected;
  if (first === undefined || accepted + duplicates > 0) return null;
  return `${first.reason}: ${first.message}`.slice(0, 200);
}
