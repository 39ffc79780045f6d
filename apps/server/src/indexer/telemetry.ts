import type { Hex } from "viem";
import type { ChainEvent } from "./decode.ts";
import { type NewRows, placeOf } from "./world.ts";

const names = ["Anchored", "HeadKept", "KeyRegistered", "KeyDropped", "KeyRevoked"] as const;
type TelemetryEvent = Extract<ChainEvent, { name: (typeof names)[number] }>;

export function isTelemetryEvent(event: ChainEvent): event is TelemetryEvent {
  return (names as readonly string[]).includes(event.name);
}

/** Appends events of the anchor contract. Each event is complete and needs no earlier state. */
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

/** Returns the short id that a stream is named after, or null if its name is not a short id. */
export function shortIdOf(stream: Hex): string | null {
  const text = Buffer.from(stream.slice(2), "hex").toString("latin1").replace(/\0+$/, "");
  return /^[a-z0-9-]{1,32}$/.test(text) ? text : null;
}
