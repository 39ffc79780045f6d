import type { LanguageCode } from "@aqua/sdk/languages";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { useContentLanguage } from "../content-language.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

export function productOptions(shortId: string, lang: LanguageCode) {
  return queryOptions({
    queryKey: [...queryKeys.product(shortId), "detail", lang],
    queryFn: ({ signal }) => api.product(shortId, { lang }, signal),
    // While another language loads, the page and the typed text stay visible.
    placeholderData: (previous, query) => (query?.queryKey[1] === shortId ? previous : undefined),
    ...freshness.EAGER,
  });
}

/** One product; fails with `pool_not_found` for an unknown shortId. */
export function useProduct(shortId: string) {
  return useQuery(productOptions(shortId, useContentLanguage()));
}
