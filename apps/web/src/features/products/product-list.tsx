import type { Product } from "@aqua/sdk/api/product";
import { X } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { NavigateOptions, SetURLSearchParams } from "react-router";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { Empty } from "../../ui/empty.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ProductCard } from "./card.tsx";
import { CompareBox } from "./cells.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { filterText } from "./filter-text.ts";
import {
  activeFilters,
  type FilterName,
  filterProducts,
  readFilters,
  readSort,
  withoutFilters,
  withParameter,
} from "./filters.ts";
import {
  listPageSize,
  listViews,
  readCompared,
  readListPage,
  readSideBySide,
  readView,
  toggled,
  withCompared,
  withListPage,
  withSideBySide,
  withView,
} from "./list-view.ts";
import { useMyBalances } from "./my-balances.ts";
import { NothingFound } from "./nothing-found.tsx";

const ProductTable = lazy(() => import("./table.tsx"));
const withCompareTexts = <Module,>(module: Promise<Module>) =>
  Promise.all([module, loadTexts("compare")]).then(([loaded]) => loaded);
const CompareTray = lazy(() => withCompareTexts(import("./compare-tray.tsx")));
const Comparison = lazy(() => withCompareTexts(import("./comparison.tsx")));

interface ShelfProps {
  /** All products, in the order that the address names. */
  products: Product[];
  search: URLSearchParams;
  onSearch: SetURLSearchParams;
}

/** Products as the address describes them: searched and filtered, as cards or as a table, or a few in comparison. */
export function Shelf({ products, search, onSearch }: ShelfProps) {
  const top = useRef<HTMLDivElement>(null);
  const balances = useMyBalances();
  const filters = readFilters(search);
  const active = activeFilters(filters);
  const matching = filterProducts(products, filters);
  const view = readView(search);
  const page = readListPage(search, matching.length);
  const pageProducts = matching.slice((page - 1) * listPageSize, page * listPageSize);
  const compared = readCompared(search).flatMap((id) => products.find((product) => product.short_id === id) ?? []);
  const chosen = compared.map((product) => product.short_id);
  const symbols = new Set(products.map((product) => product.asset.symbol));

  const sideBySide = readSideBySide(search) && compared.length > 1;
  const [sideAtFirst] = useState(sideBySide);

  // The address updates a moment after a click. The next click starts from the latest address sent, even while several
  // updates are pending.
  const latest = useRef(search);
  const sent = useRef<string[]>([]);
  useEffect(() => {
    const place = sent.current.indexOf(search.toString());
    sent.current = place < 0 ? [] : sent.current.slice(place + 1);
    if (place < 0) latest.current = search;
  }, [search]);
  function go(next: (now: URLSearchParams) => URLSearchParams, options?: NavigateOptions) {
    latest.current = next(latest.current);
    sent.current.push(latest.current.toString());
    onSearch(latest.current, options);
  }
  function change(name: FilterName | "sort", value: string | null) {
    // Typing replaces the history entry, so that going back removes the whole word instead of one letter.
    const typing = (name === "q" || name === "exit") && latest.current.has(name) && Boolean(value);
    go((now) => withParameter(now, name, value), { replace: typing });
  }
  const choose = (ids: readonly string[]) => go((now) => withCompared(now, ids));
  const toggle = (id: string) => go((now) => withCompared(now, toggled(readCompared(now), id)));

  if (sideBySide)
    return (
      <Suspense fallback={<Skeleton className="h-160 rounded-12" />}>
        <Comparison
          products={compared}
          balances={balances}
          takesFocus={!sideAtFirst}
          onRemove={(id) => choose(chosen.filter((other) => other !== id))}
          onBack={() => go((now) => withSideBySide(now, false))}
        />
      </Suspense>
    );

  return (
    <>
      {products.length > 0 && (
        <FilterBar
          filters={filters}
          sort={readSort(search)}
          networks={[...new Set(products.map((product) => product.chain_id))]}
          symbol={symbols.size === 1 ? ([...symbols][0] ?? null) : null}
          onChange={change}
        />
      )}
      <div ref={top} className="mt-5 mb-3 flex min-h-9 scroll-mt-24 flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" tabIndex={-1} data-focus-home className="text-14 text-muted">
          {t("products.count", { shown: matching.length, total: products.length })}
        </p>
        {active.length > 0 && matching.length > 0 && (
          <ul aria-label={t("filters.active")} className="flex min-w-0 flex-wrap gap-1.5">
            {active.map((name) => {
              const filter = { filter: t(`filters.${name}`), value: filterText(filters, name) };
              return (
                <li key={name} className="min-w-0">
                  <button
                    type="button"
                    aria-label={t("products.empty.remove", filter)}
                    onClick={() => change(name, null)}
                    className="inline-flex h-8 max-w-full items-center gap-1.5 rounded-full border border-accent/40 bg-accent/8 px-3 text-12 hover:border-accent"
                  >
                    <span className="truncate">{t("filters.chip", filter)}</span>
                    <X aria-hidden="true" className="size-3.5 shrink-0" strokeWidth={2} />
                  </button>
                </li>
              );
            })}
          </ul>
        )}
        {matching.length > 0 && (
          <div className="ml-auto">
            <Segmented
              label={t("filters.view")}
              value={view}
              onChange={(next) => go((now) => withView(now, next))}
              options={listViews.map((choice) => ({ value: choice, label: t(`filters.view.${choice}`) }))}
            />
          </div>
        )}
      </div>
      {products.length === 0 ? (
        <div className="panel">
          <Empty title={t("products.none.title")} />
        </div>
      ) : matching.length === 0 ? (
        <NothingFound
          products={products}
          filters={filters}
          onRemove={(name) => change(name, null)}
          onRemoveAll={() => go(withoutFilters)}
        />
      ) : view === "table" ? (
        <Suspense fallback={<Skeleton className="h-120 rounded-12" />}>
          <ProductTable products={pageProducts} balances={balances} chosen={chosen} onToggle={toggle} />
        </Suspense>
      ) : (
        <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
          {pageProducts.map((product, index) => (
            <li key={product.short_id} className="grid">
              <ProductCard
                product={product}
                eager={index < 3}
                balances={balances}
                action={<CompareBox product={product} chosen={chosen} onToggle={toggle} />}
              />
            </li>
          ))}
        </ul>
      )}
      {matching.length > listPageSize && (
        <div className="mt-5">
          <Pager
            page={page}
            pageSize={listPageSize}
            total={matching.length}
            onChange={(next) => {
              go((now) => withListPage(now, next));
              top.current?.scrollIntoView();
            }}
          />
        </div>
      )}
      {compared.length > 0 && (
        <Suspense>
          <CompareTray
            products={compared}
            onChange={choose}
            onCompare={() => {
              go((now) => withSideBySide(now, true));
              window.scrollTo(0, 0);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
