import { lazy, Suspense } from "react";
import { useParams } from "react-router";
import { useProduct } from "../../features/products/detail.ts";
import { useLiquidity } from "../../features/products/liquidity.ts";
import { ProductFrame } from "../../features/products/product-frame.tsx";
import { t } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Capacity } from "./capacity.tsx";
import { Waiting } from "./waiting.tsx";

const Exits = lazy(() => import("./exits.tsx"));
const History = lazy(() => import("./history.tsx"));
const Queue = lazy(() => import("./queue.tsx"));

const exitsSkeleton = <Skeleton className="h-[28rem] rounded-12" />;
const historySkeleton = (
  <>
    <Skeleton className="h-[28rem] rounded-12" />
    <Skeleton className="h-96 rounded-12" />
  </>
);

export default function LiquidityPage() {
  const { shortId = "" } = useParams();
  const product = useProduct(shortId).data;
  return (
    <ProductFrame
      shortId={shortId}
      title={t("liquidity.title")}
      pageTitle={(name) => t("liquidity.pageTitle", { name })}
      answer={useLiquidity(shortId)}
      failed={t("liquidity.failed")}
      skeleton={
        <>
          <Skeleton className="h-52 rounded-12" />
          {exitsSkeleton}
          {historySkeleton}
        </>
      }
    >
      {(liquidity, unit) => (
        <>
          {liquidity.as_of.stale && (
            <Notice look="caution" title={t("products.stale.title")}>
              {t("products.stale.text")}
            </Notice>
          )}
          {product?.status === "closed" && <Notice title={t("products.closed.title")}>{t("liquidity.closed")}</Notice>}
          <Capacity liquidity={liquidity} unit={unit} />
          {liquidity.type === "demand_deposit" && !liquidity.queue && (
            <Notice title={t("liquidity.noQueue.title")}>{t("liquidity.noQueue.text")}</Notice>
          )}
          <Waiting liquidity={liquidity} unit={unit} />
          <Suspense fallback={exitsSkeleton}>
            <Exits liquidity={liquidity} unit={unit} />
          </Suspense>
          <Suspense fallback={historySkeleton}>
            <History liquidity={liquidity} unit={unit} />
          </Suspense>
          {liquidity.queue && (
            <Suspense fallback={<Skeleton className="h-96 rounded-12" />}>
              <Queue liquidity={liquidity} unit={unit} />
            </Suspense>
          )}
        </>
      )}
    </ProductFrame>
  );
}
