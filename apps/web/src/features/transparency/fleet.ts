import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";

function fleetOptions() {
  return queryOptions({
    queryKey: ["transparency", "fleet"] as const,
    queryFn: ({ signal }) => api.fleet(signal),
    staleTime: 15_000,
    refetchInterval: 30_000,
  });
}

/** All devices in figures, and how fresh what they send is, product by product. */
export function useFleet() {
  return useQuery(fleetOptions());
}
