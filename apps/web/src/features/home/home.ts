import type { LanguageCode } from "@aqua/sdk/languages";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { useContentLanguage } from "../content-language.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

/** Below the key of the products, so that whatever invalidates them invalidates it. */
export function homeOptions(lang: LanguageCode) {
  return queryOptions({
    queryKey: [...queryKeys.products, "home", lang],
    queryFn: ({ signal }) => api.home({ lang }, signal),
    // While another language loads, the page stays.
    placeholderData: keepPreviousData,
    ...freshness.LAZY,
  });
}

/** All that the first page shows, in one call. */
export function useHome() {
  return useQuery(homeOptions(useContentLanguage()));
}
