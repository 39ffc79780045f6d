import { lazy, Suspense } from "react";
import { useParams } from "react-router";
import { useProduct } from "../../features/products/detail.ts";
import { ProductGate } from "../../features/products/product-gate.tsx";
import { ProductHead } from "../../features/products/product-head.tsx";
import { usePageTitle } from "../../page-title.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { ActionAside, ActionSheet } from "./action.tsx";
import { ProductFigures } from "./figures.tsx";

const ProductBody = lazy(() => import("./body.tsx"));

function BodySkeleton() {
  return (
    <>
      <Skeleton className="h-100 rounded-12" />
      <Skeleton className="h-60 rounded-12" />
    </>
  );
}

export default function ProductPage() {
  const { shortId = "" } = useParams();
  const product = useProduct(shortId);
  usePageTitle(product.data?.name);
  const wide = useMedia("(width >= 1024px)");

  if (product.isError && product.data === undefined) return <ProductGate shortId={shortId} product={product} />;

  return (
    <>
      <ProductHead shortId={shortId} product={product.data} />
      <div className="page grid gap-x-10 gap-y-10 pt-8 lg:grid-cols-[minmax(0,1fr)_400px]">
        <div className="flex min-w-0 flex-col gap-12">
          {product.data ? (
            <>
              <ProductFigures key={shortId} product={product.data} />
              <Suspense fallback={<BodySkeleton />}>
                <ProductBody product={product.data} />
              </Suspense>
            </>
          ) : (
            <>
              <Skeleton className="h-36 rounded-12" />
              <BodySkeleton />
            </>
          )}
        </div>
        {wide && <ActionAside product={product.data} />}
      </div>
      {!wide && product.data && <ActionSheet product={product.data} />}
    </>
  );
}
