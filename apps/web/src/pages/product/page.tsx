import { lazy, Suspense } from "react";
import { useParams } from "react-router";
import { useProduct } from "../../features/products/detail.ts";
import { ProductGate } from "../../features/products/product-gate.tsx";
import { ProductHead } from "../../features/products/product-head.tsx";
import { loadTexts } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { ActionAside, ActionSheet, SkipToDeposit } from "./action.tsx";

const withTexts = <Module,>(module: Promise<Module>) =>
  Promise.all([module, loadTexts("product")]).then(([loaded]) => loaded);
const loadFigures = () => withTexts(import("./figures.tsx"));
const ProductFigures = lazy(loadFigures);
const ProductBody = lazy(() => withTexts(import("./body.tsx")));
// Loads in parallel with the product.
loadFigures().catch(() => undefined);

function FiguresSkeleton() {
  return <Skeleton className="h-62 rounded-12 md:h-38" />;
}

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
      {product.data && <SkipToDeposit product={product.data} />}
      <ProductHead shortId={shortId} product={product.data} />
      <div className="page grid gap-x-10 gap-y-10 pt-8 lg:grid-cols-[minmax(0,1fr)_400px]">
        <div className="flex min-w-0 flex-col gap-12">
          {product.data ? (
            <>
              <Suspense fallback={<FiguresSkeleton />}>
                <ProductFigures key={shortId} product={product.data} />
              </Suspense>
              <Suspense fallback={<BodySkeleton />}>
                <ProductBody product={product.data} />
              </Suspense>
            </>
          ) : (
            <>
              <FiguresSkeleton />
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
