import { useSearchParams } from "react-router";
import { ProductCard, ProductCardSkeleton } from "../../features/products/card.tsx";
import {
  emptyingFilters,
  type FilterName,
  filterProducts,
  type ProductFilters,
  readFilters,
  readSort,
  withParameter,
} from "../../features/products/filters.ts";
import { useProductList } from "../../features/products/list.ts";
import { chainName } from "../../features/products/words.ts";
import { t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { FilterBar } from "./filter-bar.tsx";

/** The value of a filter as the visitor knows it. */
function filterText(filters: ProductFilters, name: FilterName): string {
  if (name === "q") return filters.q.trim();
  if (name === "network") return filters.network === null ? "" : chainName(filters.network);
  if (name === "type") return filters.type ? t(`products.type.${filters.type}`) : "";
  return filters.status ? t(`products.status.${filters.status}`) : "";
}

export default function ProductsPage() {
  usePageTitle(t("products.title"));
  const [search, setSearch] = useSearchParams();
  const filters = readFilters(search);
  const sort = readSort(search);
  const products = useProductList({ sort });
  const all = products.data?.items ?? [];
  const shown = filterProducts(all, filters);

  function change(name: FilterName | "sort", value: string | null) {
    setSearch((now) => withParameter(now, name, value), { replace: true });
  }

  const asOf = all[0]?.as_of;
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
        <FilterBar
          filters={filters}
          sort={sort}
          networks={[...new Set(all.map((product) => product.chain_id))]}
          onChange={change}
        />
        <p role="status" className="mt-5 mb-3 text-14 text-muted">
          {products.isPending ? t("ui.loading") : t("products.count", { shown: shown.length, total: all.length })}
        </p>
        {products.isError && products.data === undefined ? (
          <ErrorState
            title={t("products.failed")}
            error={products.error}
            busy={products.isFetching}
            onRetry={() => products.refetch()}
          />
        ) : products.isPending ? (
          <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
            {[1, 2, 3].map((place) => (
              <li key={place}>
                <ProductCardSkeleton />
              </li>
            ))}
          </ul>
        ) : all.length === 0 ? (
          <div className="panel">
            <Empty title={t("products.none.title")}>{t("products.none.text")}</Empty>
          </div>
        ) : shown.length === 0 ? (
          <div className="panel">
            <Empty
              title={t("products.empty.title")}
              actions={emptyingFilters(all, filters).map((name) => (
                <Button key={name} look="secondary" size="small" onClick={() => change(name, null)}>
                  {t("products.empty.remove", {
                    filter: t(`products.filter.${name}`),
                    value: filterText(filters, name),
                  })}
                </Button>
              ))}
            >
              {t("products.empty.text")}
            </Empty>
          </div>
        ) : (
          <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
            {shown.map((product, index) => (
              <li key={product.short_id} className="grid">
                <ProductCard product={product} eager={index < 3} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}
