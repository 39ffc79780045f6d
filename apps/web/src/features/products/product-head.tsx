import type { ProductDetail } from "@aqua/sdk/api/product";
import { ArrowLeft } from "lucide-react";
import { Link, NavLink } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { cx } from "../../ui/class-names.ts";
import { DepthLines } from "../../ui/depth-lines.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ProductBadges } from "./badges.tsx";
import { ProductPicture } from "./picture.tsx";
import { classAndPlace } from "./product-labels.ts";

const back = <ArrowLeft aria-hidden="true" className="size-4" strokeWidth={1.75} />;

/** Name, badges and the three pages of a product. Its skeleton has the same height. */
export function ProductHead({
  shortId,
  product,
  title,
}: {
  shortId: string;
  product: ProductDetail | undefined;
  title?: string;
}) {
  const tabs = [
    { to: paths.product(shortId), label: t("products.tab.overview") },
    { to: paths.performance(shortId), label: t("products.tab.performance") },
    { to: paths.liquidity(shortId), label: t("products.tab.liquidity") },
  ];
  return (
    <div className="relative overflow-hidden border-b border-line">
      <DepthLines
        seed={shortId}
        className="absolute inset-0 h-full w-full mask-[linear-gradient(to_left,black,transparent_80%)]"
      />
      <div className="page relative pt-6 md:pt-8">
        <Link to={paths.products} className="inline-flex items-center gap-1.5 text-14 text-muted hover:text-accent">
          {back}
          {t("products.title")}
        </Link>
        <div className="mt-4 flex items-center gap-5">
          <ProductPicture
            shortId={shortId}
            image={product?.image ?? null}
            eager
            className="hidden aspect-square w-24 shrink-0 rounded-12 border border-line sm:block"
          />
          <div className="min-w-0">
            {product ? (
              <>
                <p className="text-14 text-muted">{classAndPlace(product)}</p>
                <h1 className="mt-1 mb-3 text-28 md:text-44">
                  {product.name}
                  {title && <span className="sr-only">: {title}</span>}
                </h1>
                <ProductBadges product={product} />
              </>
            ) : (
              <>
                <Skeleton className="h-5 w-48" />
                <Skeleton className="mt-1 mb-3 h-9 w-72 max-w-full md:h-12" />
                <Skeleton className="h-6 w-56" />
              </>
            )}
          </div>
        </div>
        <nav aria-label={t("products.tab.label")} className="mt-6">
          <ul className="flex gap-6 overflow-x-auto">
            {tabs.map((tab) => (
              <li key={tab.to}>
                <NavLink
                  to={tab.to}
                  className={({ isActive }) =>
                    cx(
                      "block border-b-2 py-3 text-14 font-strong whitespace-nowrap focus-visible:-outline-offset-2",
                      isActive ? "border-accent text-ink" : "border-transparent text-muted hover:text-ink",
                    )
                  }
                >
                  {tab.label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </div>
  );
}
