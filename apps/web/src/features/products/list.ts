import type { ProductListQuery } from "@aqua/sdk/api/product";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { useContentLanguage } from "../content-language.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

export function productListOptions(query: ProductListQuery = {}) {
  return queryOptions({
    queryKey: [...queryKeys.products, query],
    queryFn: ({ signal }) => api.productList(query, signal),
    placeholderData: keepPreviousData,
    ...freshness.LAZY,
  });
}

/** The products that match; while a new query is under way the former answer stays. */
export function useProductList(query: ProductListQuery = {}) {
  return useQuery(productListOptions({ ...query, lang: useContentLanguage() }));
}
