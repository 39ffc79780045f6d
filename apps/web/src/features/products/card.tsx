import type { Product } from "@aqua/sdk/api/product";
import { Link } from "react-router";
import { formatAmount, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Amount } from "../../ui/amount.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Gauge } from "../../ui/gauge.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { shareOf } from "../decimal.ts";
import { ProductBadges } from "./badges.tsx";
import { ProductPicture } from "./picture.tsx";
import { apyWindow, classAndPlace, proofAge } from "./words.ts";

/** One product in the list: the whole card leads to its page. */
export function ProductCard({ product, eager = false }: { product: Product; eager?: boolean }) {
  const unit = product.asset.symbol;
  const filled = shareOf(product.tvl, product.cap);
  return (
    <article className="panel group relative flex flex-col overflow-hidden transition-colors hover:border-accent focus-within:border-accent">
      <ProductPicture shortId={product.short_id} image={product.image} eager={eager} className="aspect-[16/8]" />
      <div className="flex flex-1 flex-col gap-4 p-5">
        <div>
          <p className="truncate text-12 text-muted">{classAndPlace(product)}</p>
          <h2 className="mt-1 text-20">
            <Link
              to={paths.product(product.short_id)}
              className="after:absolute after:inset-0 after:rounded-12 group-hover:text-accent"
            >
              {product.name}
            </Link>
          </h2>
        </div>
        <ProductBadges product={product} />
        <dl className="grid grid-cols-2 gap-x-4 gap-y-4">
          <Figure label={t("products.apy")} note={apyWindow(product.apy)} size="large">
            {formatRate(product.apy.value)}
          </Figure>
          <Figure
            size="large"
            label={t("products.tvl")}
            note={t("products.capOf", { cap: formatAmount(product.cap, { compact: true }), unit })}
          >
            <Amount value={product.tvl} unit={unit} compact digits={1} />
          </Figure>
        </dl>
        <Gauge
          label={t("products.capFill")}
          level={filled}
          text={t("products.capFillText", { fill: formatRate(filled === null ? null : String(filled), { digits: 0 }) })}
        />
        <dl className="mt-auto grid grid-cols-3 gap-3 border-t border-line pt-4">
          <Figure size="small" label={t("products.exitNow")}>
            <Amount value={product.instant_capacity} compact digits={1} />
          </Figure>
          <Figure size="small" label={t("products.minimum")}>
            <Amount value={product.min_deposit} digits={2} minDigits={0} />
          </Figure>
          <Figure size="small" label={t("products.proof")}>
            {proofAge(product)}
          </Figure>
        </dl>
      </div>
    </article>
  );
}

/** Of the size of a card. */
export function ProductCardSkeleton() {
  return (
    <div className="panel overflow-hidden">
      <Skeleton className="aspect-[16/8] rounded-none" />
      <div className="flex flex-col gap-4 p-5">
        <Skeleton className="h-12 w-3/4" />
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="h-18" />
        <Skeleton className="h-2.5" />
        <Skeleton className="h-14" />
      </div>
    </div>
  );
}
