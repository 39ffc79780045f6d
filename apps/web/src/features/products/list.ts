import type { ProductListQuery } from "@aqua/sdk/api/product";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { allPages } from "../all-pages.ts";
import { api } from "../api.ts";
import { useContentLanguage } from "../content-language.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

type ListQuery = Omit<ProductListQuery, "page" | "page_size">;

export function productListOptions(query: ListQuery = {}) {
  return queryOptions({
    queryKey: [...queryKeys.products, query],
    queryFn: ({ signal }) =>
      allPages(
        (page) => api.productList({ ...query, ...page }, signal),
        (product) => product.short_id,
      ),
    placeholderData: keepPreviousData,
    ...freshness.LAZY,
  });
}

/** All products that match. The previous result stays visible while a new query loads. */
export function useProductList(query: ListQuery = {}) {
  return useQuery(productListOptions({ ...query, lang: useContentLanguage() }));
}
