import type { Refusal } from "@aqua/sdk/api/telemetry";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";

export const refusedPageSize = 10;

export interface RefusedFilter {
  reason: Refusal | null;
  /** A device name; null for all devices. */
  device: string | null;
}

/** Checks whether a device can have this name. Other texts are not sent to the server. */
export const isDeviceName = (text: string) => /^[a-z0-9][a-z0-9-]{0,30}$/.test(text);

function refusedOptions(page: number, { reason, device }: RefusedFilter) {
  return queryOptions({
    queryKey: ["transparency", "refused", reason, device, page] as const,
    queryFn: ({ signal }) =>
      api.refusedReadings(
        { page, page_size: refusedPageSize, ...(reason && { reason }), ...(device && { device }) },
        signal,
      ),
    // Each row names its own device and reason, so rows of the previous page cannot be mistaken for another filter's.
    placeholderData: keepPreviousData,
    ...freshness.LAZY,
  });
}

/** One page of refused readings, newest first. */
export function useRefused(page: number, filter: RefusedFilter) {
  return useQuery(refusedOptions(page, filter));
}
