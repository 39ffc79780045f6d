import type { Performance } from "@aqua/sdk/api/product";
import { lazy, Suspense } from "react";
import { useParams } from "react-router";
import { usePerformance } from "../../features/products/performance.ts";
import { ProductFrame } from "../../features/products/product-frame.tsx";
import { useRange } from "../../features/products/range-control.tsx";
import { formatAmount, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Empty } from "../../ui/empty.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";

const Charts = lazy(() => import("./charts.tsx"));
const ReportTable = lazy(() => import("./report-table.tsx"));

const chartsSkeleton = (
  <>
    <Skeleton className="h-96 rounded-12" />
    <Skeleton className="h-96 rounded-12" />
  </>
);

export default function PerformancePage() {
  const { shortId = "" } = useParams();
  const [range, setRange] = useRange();
  return (
    <ProductFrame
      shortId={shortId}
      title={t("performance.title")}
      pageTitle={(name) => t("performance.pageTitle", { name })}
      answer={usePerformance(shortId, range)}
      failed={t("performance.failed")}
      skeleton={
        <>
          <Skeleton className="h-32 rounded-12" />
          {chartsSkeleton}
        </>
      }
    >
      {(performance, unit) => (
        <>
          <Windows performance={performance} />
          <Suspense fallback={chartsSkeleton}>
            <Charts performance={performance} unit={unit} range={range} onRange={setRange} />
          </Suspense>
          <Section title={t("performance.reports")} intro={t("performance.reports.intro")}>
            <div className="panel overflow-hidden">
              {performance.reports.length === 0 ? (
                <Empty title={t("performance.reports.none")}>{t("performance.reports.noneText")}</Empty>
              ) : (
                <Suspense fallback={<TableSkeleton rows={6} />}>
                  <ReportTable reports={performance.reports} unit={unit} chainId={performance.as_of.chain_id} />
                </Suspense>
              )}
            </div>
          </Section>
        </>
      )}
    </ProductFrame>
  );
}

/** Share price, APY over each window, and the deepest fall. */
function Windows({ performance }: { performance: Performance }) {
  return (
    <div className="panel">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 p-5 sm:grid-cols-3 lg:grid-cols-7">
        <Figure label={t("products.sharePrice")}>{formatAmount(performance.share_price, { digits: 6 })}</Figure>
        {performance.apy.map((apy) => (
          <Figure
            key={apy.window_days ?? "inception"}
            label={
              apy.window_days === null
                ? t("performance.apy.inception")
                : t("performance.apy.window", { days: apy.window_days })
            }
            note={
              apy.value === null ? t("performance.apy.tooYoung") : apy.annualised ? undefined : t("performance.apy.raw")
            }
          >
            {formatRate(apy.value)}
          </Figure>
        ))}
        <Figure label={t("performance.drawdown")}>{formatRate(performance.max_drawdown)}</Figure>
      </dl>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3">
        <p className="text-12 text-muted">{t("performance.formula")}</p>
        <Stamp block={performance.as_of.block} time={performance.as_of.time} stale={performance.as_of.stale} />
      </div>
    </div>
  );
}
