import { lazy, Suspense } from "react";
import { Link } from "react-router";
import { useReported } from "../../features/home/instance.ts";
import { useProductList } from "../../features/products/list.ts";
import { bestOpen, summarise } from "../../features/products/summary.ts";
import { formatCount, formatRelative } from "../../i18n/format.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { paths } from "../../paths.ts";
import { Amount } from "../../ui/amount.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { CallToAction } from "./call-to-action.tsx";
import { HomePicture } from "./picture.tsx";

const withProductTexts = <Module,>(module: Promise<Module>) =>
  Promise.all([module, loadTexts("products")]).then(([loaded]) => loaded);
const FollowedReport = lazy(() => withProductTexts(import("./followed-report.tsx")));
const Live = lazy(() => withProductTexts(import("./live.tsx")));

const unknownIncome = {
  ready: "home.follow.none",
  failed: "ui.error.title",
  tooMany: "home.income.tooMany",
} as const;

export default function HomePage() {
  usePageTitle("Aqua");
  const products = useProductList({ page_size: 100 });
  const items = products.data?.items;
  const summary = items && summarise(items);
  const best = items ? bestOpen(items) : null;
  const reported = useReported(items);
  const asOf = items?.[0]?.as_of;
  const steps = [
    { to: paths.products, key: "choose" },
    { to: best ? paths.product(best.short_id) : paths.products, key: "deposit" },
    { to: best ? paths.performance(best.short_id) : paths.products, key: "earn" },
    { to: best ? paths.liquidity(best.short_id) : paths.products, key: "leave" },
  ] as const;

  return (
    <div className="page flex flex-col gap-16 pt-10 md:gap-20 md:pt-16">
      <div className="grid items-center gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,540px)] lg:gap-14">
        <div>
          <h1 className="text-28 sm:text-44">{t("home.title")}</h1>
          <p className="mt-5 max-w-[56ch] text-16 text-muted">{t("home.lead")}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <CallToAction best={best} />
          </div>
        </div>
        <HomePicture />
      </div>

      {products.isError && !items ? (
        <ErrorState
          title={t("home.failed")}
          error={products.error}
          busy={products.isFetching}
          onRetry={() => products.refetch()}
        />
      ) : (
        <section aria-label={t("home.figures")} className="panel">
          <dl className="grid grid-cols-2 gap-x-6 gap-y-6 p-5 md:p-6 lg:grid-cols-5">
            <Figure label={t("home.deposits")} size="large" className="max-lg:col-span-2">
              {summary ? (
                summary.deposits.length === 0 ? (
                  "—"
                ) : (
                  summary.deposits.map((sum) => (
                    <Amount key={sum.symbol} value={sum.amount} unit={sum.symbol} digits={0} className="block" />
                  ))
                )
              ) : (
                <Skeleton className="h-9 w-40 max-w-full" />
              )}
            </Figure>
            <Figure
              label={t("home.income")}
              size="large"
              note={
                reported.state !== "loading" &&
                (reported.state !== "ready" || reported.data.sums.length === 0) &&
                t(unknownIncome[reported.state])
              }
            >
              {reported.state === "loading" ? (
                <Skeleton className="h-9 w-32 max-w-full" />
              ) : reported.state === "ready" && reported.data.sums.length > 0 ? (
                reported.data.sums.map((sum) => (
                  <Amount key={sum.symbol} value={sum.amount} unit={sum.symbol} digits={0} className="block" />
                ))
              ) : (
                "—"
              )}
            </Figure>
            <Figure label={t("home.open")} size="large">
              {summary ? formatCount(summary.open) : <Skeleton className="h-9 w-12" />}
            </Figure>
            <Figure label={t("home.positions")} size="large">
              {summary ? formatCount(summary.positions) : <Skeleton className="h-9 w-16" />}
            </Figure>
            <Figure label={t("home.proof")} size="large">
              {summary ? (
                summary.newestProof === null ? (
                  "—"
                ) : (
                  formatRelative(-summary.newestProof, 0)
                )
              ) : (
                <Skeleton className="h-9 w-24" />
              )}
            </Figure>
          </dl>
          <div className="flex min-h-13 flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 md:px-6">
            <p className="text-12 text-muted">{t("home.figures.note")}</p>
            {asOf && <Stamp block={asOf.block} time={asOf.time} stale={asOf.stale} />}
          </div>
        </section>
      )}

      <div className="grid gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,1fr)_400px]">
        <Section title={t("home.how")}>
          <ol className="flex flex-col">
            {steps.map((step, index) => (
              <li
                key={step.key}
                className="relative not-last:before:absolute not-last:before:top-8 not-last:before:-bottom-3 not-last:before:left-[21px] not-last:before:w-0.5 not-last:before:bg-accent/40"
              >
                <Link to={step.to} className="group relative flex gap-5 rounded-12 p-2.5 pb-6 hover:bg-accent/8">
                  <span
                    aria-hidden="true"
                    className="grid size-6 shrink-0 place-items-center rounded-full border-2 border-accent bg-surface font-mono text-12 text-accent"
                  >
                    {index + 1}
                  </span>
                  <span className="max-w-[60ch]">
                    <span className="block text-16 font-strong group-hover:text-accent">
                      {t(`home.how.${step.key}`)}
                    </span>
                    <span className="mt-1 block text-14 text-muted">{t(`home.how.${step.key}.text`)}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ol>
        </Section>
        <Suspense fallback={<div className="h-80" />}>
          <FollowedReport reported={reported} />
        </Suspense>
      </div>

      {(!products.isError || items) && (
        <Suspense fallback={<div className="h-160" />}>
          <Live products={items} reported={reported} />
        </Suspense>
      )}
    </div>
  );
}
