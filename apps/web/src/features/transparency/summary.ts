import type { LanguageCode } from "@aqua/sdk/languages";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { useContentLanguage } from "../content-language.ts";
import { freshness } from "../freshness.ts";

export function transparencyOptions(lang: LanguageCode) {
  return queryOptions({
    queryKey: ["transparency", "summary", lang] as const,
    queryFn: ({ signal }) => api.transparencySummary({ lang }, signal),
    // The page stays visible while another language loads.
    placeholderData: keepPreviousData,
    ...freshness.EAGER,
  });
}

/** Reserves of every product, contracts, and who holds which role. */
export function useTransparency() {
  return useQuery(transparencyOptions(useContentLanguage()));
}
