import type { TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import { isTooDeep } from "../../jsonDepth.ts";
import type { Ingest } from "../ingest.ts";

/** Largest message, bytes: 500 readings with room to spare. */
export const MAX_BYTES = 512 * 1024;

const readingsPrefix = "aqua/readings/";

/** Where a device sends its readings. */
export const readingsTopic = (device: string) => `${readingsPrefix}${device}`;
export const allReadings = `${readingsPrefix}+`;
/** The topic where it receives the outcome. */
export const answersTopic = (device: string) => `aqua/answers/${device}`;

/** Whose readings a topic is for; null for any other topic. */
export function deviceOf(topic: string): string | null {
  if (!topic.startsWith(readingsPrefix)) return null;
  const device = topic.slice(readingsPrefix.length);
  return /^[a-z0-9][a-z0-9-]{0,30}$/.test(device) ? device : null;
}

/** One reading, or `{"readings": […]}` as over HTTP. What is neither is one malformed reading, to be refused and kept apart. */
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
 * Takes one message in and answers when it is committed. While the ingest is full it waits for its turn: the sender gets no
 * acknowledgement, so it slows down and loses nothing.
 * @throws when the server stops, or the database fails: then nothing may be acknowledged
 */
export function takeMessage(
  ingest: Pick<Ingest, "take">,
  device: string,
  payload: Uint8Array,
): Promise<TelemetryAnswer> {
  return ingest.take(readingsIn(payload), { via: "mqtt", device, waits: true });
}

/** Words of a refusal that fit into a reason string; null when anything of the message was stored. */
export function refusalOf({ accepted, duplicates, rejected }: TelemetryAnswer): string | null {
  const [first] = rejected;
  if (first === undefined || accepted + duplicates > 0) return null;
  return `${first.reason}: ${first.message}`.slice(0, 200);
}
