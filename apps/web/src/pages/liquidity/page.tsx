import type { Liquidity } from "@aqua/sdk/api/product";
import { lazy, Suspense } from "react";
import { useParams } from "react-router";
import { shareOf } from "../../features/decimal.ts";
import { useLiquidity } from "../../features/products/liquidity.ts";
import { ProductFrame } from "../../features/products/product-frame.tsx";
import { formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Gauge } from "../../ui/gauge.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";

const History = lazy(() => import("./history.tsx"));

const historySkeleton = <Skeleton className="h-96 rounded-12" />;

export default function LiquidityPage() {
  const { shortId = "" } = useParams();
  return (
    <ProductFrame
      shortId={shortId}
      title={t("liquidity.title")}
      pageTitle={(name) => t("liquidity.pageTitle", { name })}
      answer={useLiquidity(shortId)}
      failed={t("liquidity.failed")}
      skeleton={
        <>
          <Skeleton className="h-44 rounded-12" />
          {historySkeleton}
        </>
      }
    >
      {(liquidity, unit) => (
        <>
          <Capacity liquidity={liquidity} unit={unit} />
          <Suspense fallback={historySkeleton}>
            <History history={liquidity.history} unit={unit} />
          </Suspense>
        </>
      )}
    </ProductFrame>
  );
}

/** What can leave in one transaction, and how much of the product that is. */
function Capacity({ liquidity, unit }: { liquidity: Liquidity; unit: string }) {
  const idle = shareOf(liquidity.idle, liquidity.total_assets);
  const idleText = formatRate(idle === null ? null : String(idle), { digits: 0 });
  return (
    <div className="panel">
      <div className="flex items-center gap-6 p-5 md:gap-10">
        <Gauge
          shape="vessel"
          label={t("liquidity.idleShare")}
          level={idle}
          text={t("liquidity.idleShareText", { share: idleText })}
        />
        <dl className="grid flex-1 gap-x-6 gap-y-5 sm:grid-cols-2 lg:grid-cols-4">
          <Figure label={t("liquidity.capacity")} size="large">
            <Amount value={liquidity.instant_capacity} unit={unit} />
          </Figure>
          <Figure label={t("liquidity.idle")}>
            <Amount value={liquidity.idle} unit={unit} />
          </Figure>
          <Figure label={t("liquidity.total")}>
            <Amount value={liquidity.total_assets} unit={unit} />
          </Figure>
          <Figure label={t("liquidity.idleShare")}>{idleText}</Figure>
        </dl>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3">
        <p className="max-w-[68ch] text-12 text-muted">{t("liquidity.explain")}</p>
        <Stamp block={liquidity.as_of.block} time={liquidity.as_of.time} stale={liquidity.as_of.stale} />
      </div>
    </div>
  );
}
