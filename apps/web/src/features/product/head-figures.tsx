import type { ProductDetail } from "@aqua/sdk/api/product";
import { lazy, Suspense } from "react";
import { formatDuration, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { AnimatedNumber } from "../../ui/animated-number.tsx";
import { cx } from "../../ui/class-names.ts";
import { Figure } from "../../ui/figure.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { useWallet } from "../../wallet/store.ts";
import { earningsOf } from "../products/earnings.ts";
import { isLongWait } from "../products/long-wait.ts";
import { capFill } from "../products/product-labels.ts";

const MyPosition = lazy(() => import("./my-position.tsx").then((module) => ({ default: module.MyPosition })));

const rate = (value: string) => formatRate(value);

/** Note on how long a withdrawal waits for the amount that is not available now. */
function waitNote(product: ProductDetail): string {
  if (product.type === "time_deposit") {
    const { books, loss_reviewed_until, paused_until, as_of } = product;
    const isPaused = paused_until !== null && paused_until > as_of.time;
    // Early withdrawals wait then, so only receipts that are due can be paid.
    const isHeld = books.winding_down !== null || loss_reviewed_until !== null || isPaused;
    return t(isHeld ? "product.head.draw" : "product.head.early");
  }
  const { wait, withheld } = product;
  if (withheld.length > 0) return t("ui.withheld");
  if (wait === null) return t("product.head.noEstimate");
  if (wait.p90 === 0) return t("product.head.noWait");
  return t("product.head.wait", { p50: formatDuration(wait.p50), p90: formatDuration(wait.p90) });
}

function Waiting() {
  return (
    <div aria-busy="true" className="mt-5 grid min-h-20 grid-cols-2 gap-6 md:grid-cols-3 lg:mr-[440px]">
      <Skeleton className="h-18 rounded-12" />
      <Skeleton className="h-18 rounded-12" />
      <Skeleton className="hidden h-18 rounded-12 md:block" />
    </div>
  );
}

/**
 * Shows what a deposit earns, how much can be withdrawn now, and how much is deposited. The visitor's own position is
 * below.
 */
export function HeadFigures({ product }: { product: ProductDetail | undefined }) {
  const { address } = useWallet();
  if (!product) return <Waiting />;
  const unit = product.asset.symbol;
  const earnings = earningsOf(product);
  const { fill, cap } = capFill(product);
  const { as_of } = product;
  return (
    // The figures stay left of the panel, which extends up into the head.
    <div className="relative mt-5 flex flex-wrap items-end justify-between gap-x-10 gap-y-4 lg:mr-[440px]">
      <dl className="grid min-h-20 w-full grid-cols-2 gap-x-8 gap-y-4 md:grid-cols-3 lg:grid-cols-2 min-[1240px]:grid-cols-3">
        <Figure label={earnings.label} note={earnings.note} size="large">
          {earnings.value === null ? "—" : <AnimatedNumber value={earnings.value} format={rate} />}
        </Figure>
        <Figure
          label={t("product.head.available")}
          size="large"
          note={<span className={cx(isLongWait(product) && "text-caution")}>{waitNote(product)}</span>}
        >
          <Amount value={product.instant_capacity} unit={unit} rounding="down" live />
        </Figure>
        <Figure label={t("products.tvl")} note={t("product.head.cap", { fill, cap, unit })} size="large">
          <Amount value={product.tvl} unit={unit} live />
        </Figure>
      </dl>
      <div className="flex max-w-full flex-wrap items-end gap-x-8 gap-y-4 empty:hidden">
        {address && (
          <Suspense>
            <MyPosition product={product} />
          </Suspense>
        )}
      </div>
      <div className="lg:absolute lg:-top-18 lg:-right-[440px]">
        <Stamp block={as_of.block} time={as_of.time} stale={as_of.stale} />
      </div>
    </div>
  );
}
