import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { usePageTitle } from "../../page-title.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { useProduct } from "./detail.ts";
import { ProductGate } from "./product-gate.tsx";
import { ProductHead } from "./product-head.tsx";

interface ProductFrameProps<Data> {
  shortId: string;
  /** This page's title, for screen readers beside the product's name. */
  title: string;
  /** The document's title, from the product's name. */
  pageTitle: (name: string) => string;
  /** The query whose data the page shows, and the text for its failure. */
  answer: UseQueryResult<Data>;
  failed: string;
  /** As high as the content that replaces it. */
  skeleton: ReactNode;
  /** `unit` is the product's asset, "" while the product itself loads. */
  children: (data: Data, unit: string) => ReactNode;
}

/** A page about one aspect of a product: its head, and below it one query in each of its states. */
export function ProductFrame<Data>({
  shortId,
  title,
  pageTitle,
  answer,
  failed,
  skeleton,
  children,
}: ProductFrameProps<Data>) {
  const product = useProduct(shortId);
  usePageTitle(product.data && pageTitle(product.data.name));

  if (product.isError && product.data === undefined) return <ProductGate shortId={shortId} product={product} />;
  return (
    <>
      <ProductHead shortId={shortId} product={product.data} title={title} />
      <div className="page flex flex-col gap-12 pt-8">
        {answer.data !== undefined ? (
          children(answer.data, product.data?.asset.symbol ?? "")
        ) : answer.isError ? (
          <ErrorState title={failed} error={answer.error} busy={answer.isFetching} onRetry={() => answer.refetch()} />
        ) : (
          skeleton
        )}
      </div>
    </>
  );
}
