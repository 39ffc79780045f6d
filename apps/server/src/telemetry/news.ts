import type { ServerEvents } from "@aqua/sdk/api/events";
import { figureOf } from "@aqua/sdk/telemetry/figure";
import type { EventHub } from "../events/hub.ts";
import type { IngestWatcher } from "./ingest.ts";

const EVERY_MS = 2_000;

/** Publishes the newest readings. Each product is published at most once every two seconds. */
export function createNews(
  hub: Pick<EventHub, "publishFleeting">,
  everyMs = EVERY_MS,
): IngestWatcher & { stop(): void } {
  type NewestReading = ServerEvents["readings"]["readings"][number];
  /** Products published within the last two seconds, with the readings since then, by device. */
  const resting = new Map<string, { timer: NodeJS.Timeout; since: Map<string, NewestReading> }>();

  function tell(shortId: string, lines: Map<string, NewestReading>): void {
    const timer = setTimeout(() => {
      const since = resting.get(shortId)?.since;
      resting.delete(shortId);
      if (since !== undefined && since.size > 0) tell(shortId, since);
    }, everyMs);
    timer.unref();
    resting.set(shortId, { timer, since: new Map() });
    hub.publishFleeting("readings", { short_id: shortId, readings: [...lines.values()] });
  }

  return {
    committed({ good }) {
      const fresh = new Map<string, Map<string, NewestReading>>();
      for (const { shortId, device, seq, time, value, exponent } of good) {
        const lines = resting.get(shortId)?.since ?? fresh.get(shortId) ?? new Map<string, NewestReading>();
        lines.set(device, { device, seq, time, value: figureOf(value, exponent) });
        if (!resting.has(shortId)) fresh.set(shortId, lines);
      }
      for (const [shortId, lines] of fresh) tell(shortId, lines);
    },
    stop() {
      for (const { timer } of resting.values()) clearTimeout(timer);
      resting.clear();
    },
  };
}
