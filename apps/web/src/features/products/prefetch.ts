import type { QueryClient } from "@tanstack/react-query";
import { matchPath } from "react-router";
import { contentLanguage } from "../content-language.ts";
import { productOptions } from "./detail.ts";

/** Prefetches the figures of the product at a path, unless the visitor saves data. Never throws. */
export function prefetchProduct(queries: QueryClient, pathname: string): void {
  const shortId = matchPath("/product/:shortId", pathname)?.params.shortId;
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (shortId === undefined || connection?.saveData) return;
  void queries.prefetchQuery(productOptions(shortId, contentLanguage()));
}
