import type { StoredReading } from "@aqua/sdk/api/telemetry";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { readingKeys } from "./keys.ts";

/** The number of readings to request. It is large enough to include readings before those that are in no batch yet. */
const requestedCount = 200;

function deviceReadingsOptions(shortId: string, device: string) {
  return queryOptions({
    queryKey: readingKeys.anchored(shortId, "kept", device),
    queryFn: ({ signal }) => api.deviceReadings(device, { limit: requestedCount }, signal),
    staleTime: 15_000,
    refetchInterval: 30_000,
  });
}

/** A device's latest readings, newest first. */
export function useDeviceReadings(shortId: string, device: string) {
  return useQuery(deviceReadingsOptions(shortId, device));
}

const newestShown = 2;
const anchoredShown = 5;

/**
 * Selects the newest readings, followed by the newest verifiable ones. A device that reports every few seconds has many
 * readings that are in no batch yet, and not all of them need to be listed. `left` is the number of omitted readings.
 */
export function latestOf(readings: readonly StoredReading[]): { rows: StoredReading[]; left: number } {
  const unanchored = readings.filter((reading) => !reading.anchored);
  const newest = unanchored.slice(0, newestShown);
  return {
    rows: [...newest, ...readings.filter((reading) => reading.anchored).slice(0, anchoredShown)],
    left: unanchored.length - newest.length,
  };
}
