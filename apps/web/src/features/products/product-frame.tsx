import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { usePageTitle } from "../../page-title.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { useProduct } from "./detail.ts";

interface ProductFrameProps<Data> {
  shortId: string;
  /** The document's title, from the product's name. */
  pageTitle: (name: string) => string;
  /** The query whose data the page shows, and the text for its failure. */
  answer: UseQueryResult<Data>;
  failed: string;
  /** Has the same height as the content that replaces it. */
  skeleton: ReactNode;
  /** `unit` is the product's asset; "" while the product itself loads. */
  children: (data: Data, unit: string) => ReactNode;
}

/** A page about one aspect of a product, below the product's head. Shows one query in each of its states. */
export function ProductFrame<Data>({
  shortId,
  pageTitle,
  answer,
  failed,
  skeleton,
  children,
}: ProductFrameProps<Data>) {
  const product = useProduct(shortId);
  usePageTitle(product.data && pageTitle(product.data.name), product.data?.summary);
  if (answer.data !== undefined) return children(answer.data, product.data?.asset.symbol ?? "");
  if (!answer.isError) return skeleton;
  return <ErrorState title={failed} error={answer.error} busy={answer.isFetching} onRetry={() => answer.refetch()} />;
}
