import { lazy, Suspense } from "react";
import { useTransparency } from "../../features/transparency/summary.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

const loadBody = () => import("./body.tsx");
const Body = lazy(loadBody);
// Loads in parallel with the data. A failure is ignored here: rendering it retries and reports.
loadBody().catch(() => undefined);
const Evidence = lazy(() =>
  Promise.all([import("./evidence.tsx"), loadTexts("evidence", "readings", "forms")]).then(([module]) => module),
);
const Contents = lazy(() => Promise.all([import("./contents.tsx"), loadTexts("evidence")]).then(([module]) => module));
const Powers = lazy(() => import("./powers.tsx"));
const Acts = lazy(() => import("./acts.tsx"));

const skeleton = (
  <>
    <Skeleton className="h-96 rounded-12" />
    <Skeleton className="h-96 rounded-12" />
    <Skeleton className="h-64 rounded-12" />
  </>
);

export default function TransparencyPage() {
  usePageTitle(t("transparency.title"));
  const summary = useTransparency();
  const known = summary.data;
  return (
    <>
      <PageHead seed="transparency" title={t("transparency.title")} lead={t("transparency.lead")} />
      <div className="page flex flex-col gap-12 pt-8">
        <Suspense fallback={<div className="h-32 sm:h-20 lg:h-13" />}>
          <Contents />
        </Suspense>
        {known?.as_of.stale && (
          <Notice look="caution" title={t("products.stale.title")}>
            {t("products.stale.text")}
          </Notice>
        )}
        {known ? (
          <Suspense fallback={skeleton}>
            <Body summary={known} />
          </Suspense>
        ) : summary.isError ? (
          <ErrorState
            title={t("transparency.failed")}
            error={summary.error}
            busy={summary.isFetching}
            onRetry={() => summary.refetch()}
          />
        ) : (
          skeleton
        )}
        <Suspense fallback={<Skeleton className="h-[60rem] rounded-12" />}>
          <Evidence />
        </Suspense>
        {known && (
          <Suspense fallback={<Skeleton className="h-[30rem] rounded-12" />}>
            <Powers summary={known} />
          </Suspense>
        )}
        <Suspense fallback={<Skeleton className="h-[40rem] rounded-12" />}>
          <Acts summary={known} />
        </Suspense>
      </div>
    </>
  );
}
