import type { ProductDetail, TimeDetail } from "@aqua/sdk/api/product";
import { lazy, Suspense } from "react";
import { earningsOf } from "../../features/products/earnings.ts";
import { capFill } from "../../features/products/product-labels.ts";
import { formatRate } from "../../i18n/format.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { AnimatedNumber } from "../../ui/animated-number.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Gauge } from "../../ui/gauge.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { coverageText } from "./fact-text.ts";
import { MyPosition } from "./my-position.tsx";
import { NoticeList } from "./notice-list.tsx";

const ClosedTo = lazy(() =>
  Promise.all([import("../../features/products/closed-to.tsx"), loadTexts("register")]).then(([module]) => module),
);

const rate = (value: string) => formatRate(value);

function Coverage({ product: { books } }: { product: TimeDetail }) {
  return (
    <Figure label={t("product.coverage")} note={t("product.coverage.note")} size="large">
      {books.coverage === null ? (
        <Unknown reason={t("product.coverage.none")} />
      ) : (
        <AnimatedNumber value={books.coverage} format={coverageText} />
      )}
    </Figure>
  );
}

/** The main figures under one stamp, with the visitor's own position when a wallet is connected. */
export default function ProductFigures({ product }: { product: ProductDetail }) {
  const unit = product.asset.symbol;
  const earnings = earningsOf(product);
  const { level, fill, cap } = capFill(product);
  const filled = t("products.capFillText", { fill });
  return (
    <div className="flex flex-col gap-4">
      <NoticeList product={product} />
      {product.closed_to.length > 0 && (
        <Suspense fallback={<Skeleton className="h-18 rounded-12" />}>
          <ClosedTo countries={product.closed_to} />
        </Suspense>
      )}
      <div className="panel">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-5 p-5 md:grid-cols-4">
          <Figure label={earnings.label} note={earnings.note} size="large">
            {earnings.value === null ? (
              <Unknown reason={earnings.note} />
            ) : (
              <AnimatedNumber value={earnings.value} format={rate} />
            )}
          </Figure>
          <Figure
            label={t("products.tvl")}
            size="large"
            note={product.type === "time_deposit" ? t("product.receipts", { count: product.books.receipts }) : filled}
          >
            <Amount value={product.tvl} unit={unit} compact digits={1} live />
          </Figure>
          {product.type === "time_deposit" ? (
            <Coverage product={product} />
          ) : (
            <Figure label={t("products.sharePrice")} note={unit} size="large">
              <Amount value={product.share.price} digits={4} live />
            </Figure>
          )}
          <MyPosition product={product} />
        </dl>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line px-5 py-3">
          <div className="flex min-w-48 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-12 whitespace-nowrap text-muted">{t("products.capFill")}</span>
            <Gauge label={t("products.capFill")} level={level} text={filled} className="min-w-24 max-w-64 flex-1" />
            <span className="text-12 whitespace-nowrap text-muted">{t("products.capOf", { cap, unit })}</span>
          </div>
          <Stamp block={product.as_of.block} time={product.as_of.time} stale={product.as_of.stale} />
        </div>
      </div>
    </div>
  );
}
