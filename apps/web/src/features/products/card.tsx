import type { Product } from "@aqua/sdk/api/product";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatDuration, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Amount } from "../../ui/amount.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Gauge } from "../../ui/gauge.tsx";
import { WithheldReason } from "../../ui/withheld.tsx";
import { ProductBadges } from "./badges.tsx";
import { MyBalance, Wait } from "./cells.tsx";
import { earningsOf } from "./earnings.ts";
import { isLongWait } from "./long-wait.ts";
import type { MyBalances } from "./my-balances.ts";
import { ProductPicture } from "./picture.tsx";
import { capFill, classAndPlace, proofAge } from "./product-labels.ts";

interface ProductCardProps {
  product: Product;
  eager?: boolean;
  /** Shows only the figures for a first choice: rate, deposits, the amount available now and the wait. */
  brief?: boolean;
  /** Balances of the connected wallet; null without one. */
  balances?: MyBalances | null;
  /** Shown in the card's lower corner, above the card's link. */
  action?: ReactNode;
}

/** The card of one product in a list; the whole card links to its page. */
export function ProductCard({ product, eager = false, brief = false, balances = null, action }: ProductCardProps) {
  const unit = product.asset.symbol;
  const { level, fill, cap } = capFill(product);
  const earnings = earningsOf(product);
  return (
    <article className="panel group relative flex flex-col overflow-hidden transition-colors hover:border-accent focus-within:border-accent">
      <ProductPicture shortId={product.short_id} image={product.image} eager={eager} className="aspect-[16/7]" />
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
        {brief ? <p className="text-14">{t(`products.type.${product.type}`)}</p> : <ProductBadges product={product} />}
        {product.wait !== null && isLongWait(product) && (
          <p className="border-l-3 border-caution pl-3 text-14 text-caution">
            {t("products.wait.long", { p90: formatDuration(product.wait.p90) })}
          </p>
        )}
        {product.withheld.length > 0 && (
          <p className="relative z-10 border-l-3 border-caution pl-3 text-14">
            <WithheldReason />
          </p>
        )}
        <dl className="grid grid-cols-2 gap-x-4 gap-y-4">
          <Figure label={earnings.label} note={earnings.note} size="large">
            {formatRate(earnings.value)}
          </Figure>
          <Figure size="large" label={t("products.tvl")} note={t("products.capOf", { cap, unit })}>
            <Amount value={product.tvl} unit={unit} compact digits={1} />
          </Figure>
        </dl>
        <Gauge label={t("products.capFill")} level={level} text={t("products.capFillText", { fill })} />
        <dl className="mt-auto grid grid-cols-2 gap-x-4 gap-y-3 border-t border-line pt-4">
          <Figure size="small" label={t("products.exitNow")}>
            <Amount value={product.instant_capacity} unit={unit} compact digits={1} rounding="down" />
          </Figure>
          <Figure size="small" label={t("products.wait.short")}>
            <span className="relative z-10">
              <Wait product={product} />
            </span>
          </Figure>
          {!brief && (
            <>
              <Figure size="small" label={t("products.minimum")}>
                <Amount value={product.min_deposit} unit={unit} digits={2} minDigits={0} />
              </Figure>
              <Figure size="small" label={t("products.proof")}>
                {proofAge(product)}
              </Figure>
            </>
          )}
        </dl>
        {(balances || action) && (
          <div className="flex min-h-10 flex-wrap items-end justify-between gap-x-4 gap-y-2 border-t border-line pt-3">
            {balances && (
              <dl>
                <Figure size="small" label={t("products.mine")}>
                  <MyBalance product={product} balances={balances} />
                </Figure>
              </dl>
            )}
            {action && <div className="relative z-10 ml-auto self-center">{action}</div>}
          </div>
        )}
      </div>
    </article>
  );
}
