import type { LanguageCode } from "@aqua/sdk/languages";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { useContentLanguage } from "../content-language.ts";

function fleetOptions(lang: LanguageCode) {
  return queryOptions({
    queryKey: ["transparency", "fleet", lang] as const,
    queryFn: ({ signal }) => api.fleet({ lang }, signal),
    // While another language is on its way the page stays.
    placeholderData: keepPreviousData,
    staleTime: 15_000,
    refetchInterval: 30_000,
  });
}

/** All devices in figures, and how fresh what they send is, product by product. */
export function useFleet() {
  return useQuery(fleetOptions(useContentLanguage()));
}
