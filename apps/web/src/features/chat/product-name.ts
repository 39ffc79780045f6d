import { useQuery } from "@tanstack/react-query";
import { matchPath, useLocation } from "react-router";
import { useContentLanguage } from "../content-language.ts";
import { productOptions } from "../products/detail.ts";
import { useProductList } from "../products/list.ts";

const productPages = ["/product/:shortId", "/liquidity/:shortId", "/performance/:shortId"];

function shortIdIn(pathname: string): string | undefined {
  for (const page of productPages) {
    const match = matchPath(page, pathname);
    if (match) return match.params.shortId;
  }
}

/** The name of the page's product, or else of the first open one. Null while neither is loaded. */
export function useProductName(): string | null {
  const shortId = shortIdIn(useLocation().pathname);
  // The page fetches its product itself; this only observes the cache.
  const { data: current } = useQuery({ ...productOptions(shortId ?? "", useContentLanguage()), enabled: false });
  const { data: list } = useProductList();
  if (shortId !== undefined && current) return current.name;
  const products = list?.items ?? [];
  const listed = products.find((product) => product.short_id === shortId);
  return (listed ?? products.find((product) => product.status === "open"))?.name ?? null;
}
