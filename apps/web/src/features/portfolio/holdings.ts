import type { ProductType } from "@aqua/sdk/api/product";
import type { LanguageCode } from "@aqua/sdk/languages";
import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { allPages } from "../all-pages.ts";
import { api } from "../api.ts";
import { useContentLanguage } from "../content-language.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";
import { alsoQuery, type Scope, scopeKey } from "./scope.ts";

export function holdingsOptions(address: string | null, lang: LanguageCode) {
  return queryOptions({
    queryKey: [...queryKeys.account(address ?? ""), "holdings", lang],
    queryFn: address
      ? ({ signal }) =>
          allPages(
            (page) => api.hold(address, { ...page, lang }, signal),
            (holding) => `${holding.chain_id}-${holding.short_id}-${holding.wallet}-${holding.deposit_id}`,
          )
      : skipToken,
    placeholderData: (previous, query) => (query?.queryKey[1] === address?.toLowerCase() ? previous : undefined),
    ...freshness.EAGER,
  });
}

/** A wallet's position in each product, including each of its receipts. Does not fetch without an address. */
export function useHoldings(address: string | null) {
  return useQuery(holdingsOptions(address, useContentLanguage()));
}

export const holdingsPageSize = 20;

/** A page of the positions of one type, largest first. */
export function useHoldingsPage({ address, also }: Scope, type: ProductType, page: number) {
  const lang = useContentLanguage();
  const key = scopeKey(address, also, "holdings");
  return useQuery({
    queryKey: [...key, type, page, lang],
    queryFn: ({ signal }) =>
      api.hold(address, { type, page, page_size: holdingsPageSize, lang, ...alsoQuery(also) }, signal),
    placeholderData: (previous, query) =>
      query?.queryKey.slice(0, key.length + 1).join() === [...key, type].join() ? previous : undefined,
    ...freshness.EAGER,
  });
}
