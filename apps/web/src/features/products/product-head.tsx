import type { ProductDetail } from "@aqua/sdk/api/product";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { DepthLines } from "../../ui/depth-lines.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ProductBadges } from "./badges.tsx";
import { LinkTabs } from "./link-tabs.tsx";
import { ProductPicture } from "./picture.tsx";
import { classAndPlace } from "./product-labels.ts";
import { type ProductTab, productTabs, tabPath } from "./product-tab.ts";

const back = <ArrowLeft aria-hidden="true" className="size-4" strokeWidth={1.75} />;

interface ProductHeadProps {
  shortId: string;
  product: ProductDetail | undefined;
  current: ProductTab;
  /** The product's main figures. */
  children: ReactNode;
}

/** Name, badges, main figures and tabs of a product. Its skeleton has the same height. */
export function ProductHead({ shortId, product, current, children }: ProductHeadProps) {
  return (
    <div className="relative overflow-hidden border-b border-line">
      <DepthLines
        seed={shortId}
        className="absolute inset-0 h-full w-full mask-[linear-gradient(to_left,black,transparent_80%)]"
      />
      <div className="page relative pt-6">
        <Link to={paths.products} className="inline-flex items-center gap-1.5 text-14 text-muted hover:text-accent">
          {back}
          {t("products.title")}
        </Link>
        <div className="mt-3 flex items-center gap-5">
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
                  {current !== "overview" && <span className="sr-only">: {t(`products.tab.${current}`)}</span>}
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
        {children}
        <div className="mt-4 lg:mr-[440px]">
          <LinkTabs
            label={t("products.tab.label")}
            current={current}
            tabs={productTabs.map((tab) => ({ tab, to: tabPath(shortId, tab), label: t(`products.tab.${tab}`) }))}
          />
        </div>
      </div>
    </div>
  );
}
