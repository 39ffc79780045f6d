import { lazy, Suspense } from "react";
import { useParams } from "react-router";
import { useProduct } from "../../features/products/detail.ts";
import { usePerformance } from "../../features/products/performance.ts";
import { ProductFrame } from "../../features/products/product-frame.tsx";
import { useRange } from "../../features/products/range-control.tsx";
import { t } from "../../i18n/i18n.ts";
import { Empty } from "../../ui/empty.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { DemandFigures, TermFigures } from "./figures.tsx";

const Charts = lazy(() => import("./charts.tsx"));
const TermCharts = lazy(() => import("./term-charts.tsx"));
const ReportTable = lazy(() => import("./report-table.tsx"));
const Export = lazy(() => import("./export.tsx"));

const chartsSkeleton = (
  <>
    <Skeleton className="h-[29rem] rounded-12" />
    <Skeleton className="h-96 rounded-12" />
    <Skeleton className="h-[26rem] rounded-12" />
  </>
);

export default function PerformancePage() {
  const { shortId = "" } = useParams();
  const [range, setRange] = useRange();
  const product = useProduct(shortId).data;
  const answer = usePerformance(shortId, range);
  return (
    <ProductFrame
      shortId={shortId}
      title={t("performance.title")}
      pageTitle={(name) => t("performance.pageTitle", { name })}
      answer={answer}
      failed={t("performance.failed")}
      skeleton={
        <>
          <Skeleton className="h-36 rounded-12" />
          {chartsSkeleton}
        </>
      }
    >
      {(performance, unit) => {
        const term = performance.type === "time_deposit";
        return (
          <>
            {performance.as_of.stale && (
              <Notice look="caution" title={t("products.stale.title")}>
                {t("products.stale.text")}
              </Notice>
            )}
            {product?.status === "closed" && (
              <Notice title={t("products.closed.title")}>{t("performance.closed")}</Notice>
            )}
            {term ? (
              <TermFigures performance={performance} product={product} unit={unit} />
            ) : (
              <DemandFigures performance={performance} unit={unit} />
            )}
            <Suspense fallback={chartsSkeleton}>
              {term ? (
                <TermCharts performance={performance} unit={unit} range={range} onRange={setRange} />
              ) : (
                <Charts performance={performance} unit={unit} range={range} onRange={setRange} />
              )}
            </Suspense>
            {(!term || performance.reports.length > 0) && (
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
            )}
            <Suspense fallback={<Skeleton className="h-24 rounded-12" />}>
              <Export performance={performance} range={range} unit={unit} busy={answer.isPlaceholderData} />
            </Suspense>
          </>
        );
      }}
    </ProductFrame>
  );
}
