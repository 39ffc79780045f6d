import { useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { alsoQuery, type Scope, scopeKey } from "./scope.ts";

/** Requests that wait in a redemption queue, oldest first. */
export function useRedemptionRequests({ address, also }: Scope) {
  return useQuery({
    queryKey: scopeKey(address, also, "requests"),
    queryFn: ({ signal }) => api.redemptionRequests(address, alsoQuery(also), signal),
    ...freshness.EAGER,
  });
}
