import type { Device } from "@aqua/sdk/api/telemetry";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { readingKeys } from "./keys.ts";

export function devicesOptions(shortId: string) {
  return queryOptions({
    queryKey: readingKeys.devices(shortId),
    queryFn: ({ signal }) => api.devices(shortId, signal),
    // Live updates change only the last values. Health and counts are refetched.
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
}

/** A product's devices, each with its last value and its health. */
export function useDevices(shortId: string) {
  return useQuery(devicesOptions(shortId));
}

/**
 * The device shown first. Online devices come before others, and registers before gauges, since income is counted from
 * registers.
 */
export function firstDevice(devices: readonly Device[]): Device | undefined {
  const rank = (device: Device) => (device.kind === "register" ? 0 : 1) + (device.status === "online" ? 0 : 2);
  return [...devices].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))[0];
}
