import type { ServerEvents } from "@aqua/sdk/api/events";
import type { Device } from "@aqua/sdk/api/telemetry";
import type { QueryClient } from "@tanstack/react-query";
import { readingKeys } from "./keys.ts";

const silent = ["late", "offline", "never"];

/** Updates the last values of a product's devices in place; ignores readings that are older than the cached one. */
export function applyReadings(queries: QueryClient, { short_id, readings }: ServerEvents["readings"]) {
  queries.setQueryData<Device[]>(readingKeys.devices(short_id), (devices) =>
    devices?.map((device) => {
      const newest = readings
        .filter(({ device: name, seq }) => name === device.name && seq > (device.last?.seq ?? 0))
        .sort((a, b) => b.seq - a.seq)[0];
      if (!newest) return device;
      const { seq, time, value } = newest;
      return {
        ...device,
        last: { seq, time, value },
        last_seen: Math.max(device.last_seen ?? 0, time),
        status: silent.includes(device.status) ? "online" : device.status,
      };
    }),
  );
}
