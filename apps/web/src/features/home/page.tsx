import type { LanguageCode } from "@aqua/sdk/languages";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { Link } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { paths } from "../../paths.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { api } from "../api.ts";
import { useContentLanguage } from "../content-language.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";
import { CallToAction } from "./call-to-action.tsx";
import { HomeFigures } from "./figures.tsx";
import { LiveSection } from "./live-section.tsx";
import { HomePicture } from "./picture.tsx";

/** The key is below the key of the products, so invalidating the products invalidates this query too. */
function homeOptions(lang: LanguageCode) {
  return queryOptions({
    queryKey: [...queryKeys.products, "home", lang],
    queryFn: ({ signal }) => api.home({ lang }, signal),
    // The page stays visible while another language loads.
    placeholderData: keepPreviousData,
    ...freshness.LAZY,
  });
}

/** Reads all data of the home page in one call. */
function useHome() {
  return useQuery(homeOptions(useContentLanguage()));
}

const below = (
  <div aria-busy="true">
    <Skeleton className="h-160 rounded-12" />
  </div>
);

/**
 * Explains how a deposit works; each step links to the page where it is done. `shortId` names the product used as the
 * example.
 */
function Steps({ shortId }: { shortId: string | undefined }) {
  const of = (page: (id: string) => string) => (shortId === undefined ? paths.products : page(shortId));
  const steps = [
    { to: paths.products, key: "choose" },
    { to: of(paths.product), key: "deposit" },
    { to: of(paths.performance), key: "earn" },
    { to: of(paths.liquidity), key: "leave" },
  ] as const;
  return (
    <Section title={t("home.how")}>
      <ol className="grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
        {steps.map((step, index) => (
          <li key={step.key}>
            <Link to={step.to} className="group panel flex h-full gap-4 p-4 hover:border-accent">
              <span
                aria-hidden="true"
                className="grid size-6 shrink-0 place-items-center rounded-full border-2 border-accent bg-surface font-mono text-12 text-accent"
              >
                {index + 1}
              </span>
              <span>
                <span className="block text-16 font-strong group-hover:text-accent">{t(`home.how.${step.key}`)}</span>
                <span className="mt-1 block text-14 text-muted">{t(`home.how.${step.key}.text`)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Section>
  );
}

export default function HomePage() {
  usePageTitle("Aqua", t("home.lead"));
  const { data: home, isError, error, isFetching, refetch } = useHome();
  const best = home?.featured[0] ?? null;

  return (
    <div className="page flex flex-col gap-12 pt-10 md:gap-16 md:pt-12">
      <div className="grid items-center gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,480px)] lg:gap-14">
        <div>
          <h1 className="text-28 sm:text-44">{t("home.title")}</h1>
          <p className="mt-5 max-w-[56ch] text-16 text-muted">{t("home.lead")}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <CallToAction best={best} />
          </div>
        </div>
        <HomePicture />
      </div>

      {isError && !home ? (
        <ErrorState title={t("home.failed")} error={error} busy={isFetching} onRetry={() => refetch()} />
      ) : (
        <HomeFigures summary={home} />
      )}

      <Steps shortId={best?.short_id} />

      {home ? (
        <Suspense>
          <LiveSection home={home} />
        </Suspense>
      ) : (
        !isError && below
      )}
    </div>
  );
}
