import { useSearchParams } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { readSort } from "./filters.ts";
import { useProductList } from "./list.ts";
import { Shelf } from "./product-list.tsx";

/** As tall as a product card. */
function ProductCardSkeleton() {
  return (
    <div className="panel overflow-hidden">
      <Skeleton className="aspect-[16/7] rounded-none" />
      <div className="flex flex-col gap-4 p-5">
        <Skeleton className="h-12 w-3/4" />
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="h-18" />
        <Skeleton className="h-2.5" />
        <Skeleton className="h-26" />
        <Skeleton className="h-10" />
      </div>
    </div>
  );
}

function ShelfSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton className="h-26 md:h-34 lg:h-16" />
      <p role="status" className="mt-5 mb-3 flex h-9 items-center text-14 text-muted">
        {t("ui.loading")}
      </p>
      <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {[1, 2, 3].map((place) => (
          <li key={place}>
            <ProductCardSkeleton />
          </li>
        ))}
      </ul>
    </div>
  );
}

export default function ProductsPage() {
  usePageTitle(t("products.title"), t("products.lead"));
  const [search, setSearch] = useSearchParams();
  const products = useProductList({ sort: readSort(search) });
  const asOf = products.data?.items[0]?.as_of;
  return (
    <>
      <PageHead
        seed="products"
        title={t("products.title")}
        lead={t("products.lead")}
        aside={
          asOf ? (
            <Stamp block={asOf.block} time={asOf.time} stale={asOf.stale} />
          ) : (
            products.isPending && <Skeleton className="h-[26px] w-48" />
          )
        }
      />
      <div className="page pt-6">
        {products.data ? (
          <Shelf products={products.data.items} search={search} onSearch={setSearch} />
        ) : products.isError ? (
          <ErrorState
            title={t("products.failed")}
            error={products.error}
            busy={products.isFetching}
            onRetry={() => products.refetch()}
          />
        ) : (
          <ShelfSkeleton />
        )}
      </div>
    </>
  );
}
