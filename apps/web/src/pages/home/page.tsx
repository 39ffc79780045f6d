import { lazy, Suspense } from "react";
import { Link } from "react-router";
import { useReported } from "../../features/home/instance.ts";
import { useSummary } from "../../features/home/summary.ts";
import { bestOpen } from "../../features/products/best-rate.ts";
import { useProductList } from "../../features/products/list.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { paths } from "../../paths.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Section } from "../../ui/section.tsx";
import { CallToAction } from "./call-to-action.tsx";
import { HomeFigures } from "./figures.tsx";
import { HomePicture } from "./picture.tsx";

const withTexts = <Module,>(module: Promise<Module>) =>
  Promise.all([module, loadTexts("products", "readings")]).then(([loaded]) => loaded);
const FollowedReport = lazy(() => withTexts(import("./followed-report.tsx")));
const Live = lazy(() => withTexts(import("./live.tsx")));

export default function HomePage() {
  usePageTitle("Aqua");
  const products = useProductList();
  const items = products.data?.items;
  const summary = useSummary();
  const failed = [summary, products].find((query) => query.isError && !query.data);
  const best = items ? bestOpen(items) : null;
  const reported = useReported(items);
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

      {failed ? (
        <ErrorState
          title={t("home.failed")}
          error={failed.error}
          busy={failed.isFetching}
          onRetry={() => {
            summary.refetch();
            products.refetch();
          }}
        />
      ) : (
        <HomeFigures summary={summary.data} />
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
        {(!products.isError || items) && (
          <Suspense fallback={<div className="h-80" />}>
            <FollowedReport reported={reported} />
          </Suspense>
        )}
      </div>

      {(!products.isError || items) && (
        <Suspense fallback={<div className="h-160" />}>
          <Live products={items} reported={reported} />
        </Suspense>
      )}
    </div>
  );
}
