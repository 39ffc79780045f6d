import type { Performance, Range } from "@aqua/sdk/api/product";
import { lazy, Suspense } from "react";
import { formatAmount, formatDate } from "../../i18n/format.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { Empty } from "../../ui/empty.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useProduct } from "../products/detail.ts";
import { growthOf } from "../products/performance-figures.ts";
import { DemandFigures, TermFigures } from "./figures.tsx";

const amount = 1000n;

/**
 * Shows what 1,000 deposited at the first price of the range is worth at its last price. Renders nothing if there is no
 * price.
 */
function Worth({ series, unit }: { series: Performance["series"]; unit: string }) {
  const worth = growthOf({ series, price: "share_price", amount }).filter(({ value }) => value !== null);
  const [first, last] = [worth[0], worth.at(-1)];
  if (!first || !last || first === last) return null;
  return (
    <p className="max-w-[40ch] text-20">
      {t("performance.worth", {
        amount: formatAmount(String(amount), { digits: 0 }),
        unit,
        date: formatDate(first.time),
        value: formatAmount(last.value),
      })}
    </p>
  );
}

const Charts = lazy(() => import("./charts.tsx").then((module) => ({ default: module.Charts })));
const TermCharts = lazy(() => import("./term-charts.tsx").then((module) => ({ default: module.TermCharts })));
const Reports = lazy(() => import("./report-table.tsx").then((module) => ({ default: module.Reports })));
const Export = lazy(() => import("./export.tsx").then((module) => ({ default: module.Export })));
const ReportsAbove = lazy(() =>
  Promise.all([import("./reports-above.tsx"), loadTexts("readings")]).then(([module]) => module),
);

interface BodyProps {
  performance: Performance;
  unit: string;
  range: Range;
  onRange: (range: Range) => void;
  /** True while the figures of this range load; the displayed figures then belong to another range. */
  busy: boolean;
}

/** A product's figures, charts, reports and files; the type of the product decides which. */
export default function Body({ performance, unit, range, onRange, busy }: BodyProps) {
  const product = useProduct(performance.short_id).data;
  const term = performance.type === "time_deposit";
  const windingDown = product?.type === "time_deposit" && product.books.winding_down !== null;
  return (
    <>
      {performance.as_of.stale && (
        <Notice look="caution" title={t("products.stale.title")}>
          {t("products.stale.text")}
        </Notice>
      )}
      {windingDown && (
        <Notice look="error" title={t("product.notice.windingDown")}>
          {t("performance.windingDown.text")} {t("product.notice.windingDown.text")}
        </Notice>
      )}
      {product?.status === "closed" && !windingDown && (
        <Notice title={t("products.closed.title")}>{t("performance.closed")}</Notice>
      )}
      {!term && <Worth series={performance.series} unit={unit} />}
      {term ? (
        <TermFigures performance={performance} product={product} />
      ) : (
        <DemandFigures performance={performance} unit={unit} />
      )}
      <div className="flex flex-col gap-6" aria-busy={busy || undefined}>
        <Suspense fallback={<Skeleton className="h-[32rem] rounded-12" />}>
          {term ? (
            <TermCharts performance={performance} unit={unit} range={range} onRange={onRange} />
          ) : (
            <Charts performance={performance} unit={unit} range={range} onRange={onRange} />
          )}
        </Suspense>
        {!term && (
          <Suspense>
            <ReportsAbove shortId={performance.short_id} unit={unit} range={range} />
          </Suspense>
        )}
      </div>
      {(!term || performance.reports.length > 0) && (
        <Section title={t("performance.reports")}>
          <div className="panel overflow-hidden">
            {performance.reports.length === 0 ? (
              <Empty title={t("performance.reports.none")} />
            ) : (
              <Suspense fallback={<Skeleton className="h-33" />}>
                <Reports
                  shortId={performance.short_id}
                  reports={performance.reports}
                  unit={unit}
                  chainId={performance.as_of.chain_id}
                />
              </Suspense>
            )}
          </div>
        </Section>
      )}
      <Suspense fallback={<Skeleton className="h-28" />}>
        <Export performance={performance} range={range} unit={unit} busy={busy} />
      </Suspense>
    </>
  );
}
