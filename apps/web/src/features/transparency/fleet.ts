import type { LanguageCode } from "@aqua/sdk/languages";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { useContentLanguage } from "../content-language.ts";

function fleetOptions(lang: LanguageCode) {
  return queryOptions({
    queryKey: ["transparency", "fleet", lang] as const,
    queryFn: ({ signal }) => api.fleet({ lang }, signal),
    // The page stays visible while another language loads.
    placeholderData: keepPreviousData,
    staleTime: 15_000,
    refetchInterval: 30_000,
  });
}

/** Figures over all devices, and how recent each product's data is. */
export function useFleet() {
  return useQuery(fleetOptions(useContentLanguage()));
}
