import { useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { useContentLanguage } from "../content-language.ts";
import { freshness } from "../freshness.ts";
import { alsoQuery, type Scope, scopeKey } from "./scope.ts";

/** Requests that wait in a redemption queue, oldest first. */
export function useRedemptionRequests({ address, also }: Scope) {
  const lang = useContentLanguage();
  return useQuery({
    queryKey: [...scopeKey(address, also, "requests"), lang],
    queryFn: ({ signal }) => api.redemptionRequests(address, { lang, ...alsoQuery(also) }, signal),
    ...freshness.EAGER,
  });
}
