import type { Hex } from "viem";
import type { ChainEvent } from "./decode.ts";
import { type NewRows, placeOf } from "./world.ts";

const names = ["Anchored", "HeadKept", "KeyRegistered", "KeyDropped", "KeyRevoked"] as const;
type TelemetryEvent = Extract<ChainEvent, { name: (typeof names)[number] }>;

export function isTelemetryEvent(event: ChainEvent): event is TelemetryEvent {
  return (names as readonly string[]).includes(event.name);
}

/** Appends events of the anchor contract. Each is complete by itself: no earlier state is needed. */
export function replayTelemetry(chainId: number, rows: NewRows, event: TelemetryEvent): void {
  const place = placeOf(chainId, event);
  switch (event.name) {
    case "Anchored": {
      const { hash, stream, batch: number, root, from, to, count, dataHash, head } = event;
      rows.anchor.push({ ...place, hash, stream, number, root, from, to, count, dataHash, head });
      return;
    }
    case "HeadKept":
      rows.storedHead.push({ ...place, stream: event.stream, number: event.batch, head: event.head });
      return;
    case "KeyRevoked": {
      const { device, validFrom } = event;
      rows.deviceKey.push({ ...place, device, what: "revoked", kind: 0, x: null, y: null, validFrom });
      return;
    }
    default: {
      const { device, kind, x, y, validFrom } = event;
      const what = event.name === "KeyRegistered" ? "registered" : "dropped";
      rows.deviceKey.push({ ...place, device, what, kind, x, y, validFrom });
    }
  }
}

/** The short id a stream is named after; null when its name is none. */
export function shortIdOf(stream: Hex): string | null {
  const text = Buffer.from(stream.slice(2), "hex").toString("latin1").replace(/\0+$/, "");
  return /^[a-z0-9-]{1,32}$/.test(text) ? text : null;
}
