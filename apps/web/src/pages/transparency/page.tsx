import { lazy, Suspense } from "react";
import { useTransparency } from "../../features/transparency/summary.ts";
import { t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { Contracts } from "./contracts.tsx";
import { Feeds } from "./feeds.tsx";
import { ReserveCard } from "./reserves.tsx";
import { Roles } from "./roles.tsx";

const Acts = lazy(() => import("./acts.tsx"));

const actsSkeleton = <Skeleton className="h-[40rem] rounded-12" />;

export default function TransparencyPage() {
  usePageTitle(t("transparency.title"));
  const summary = useTransparency();
  const known = summary.data;
  return (
    <>
      <PageHead seed="transparency" title={t("transparency.title")} lead={t("transparency.lead")} />
      <div className="page flex flex-col gap-12 pt-8">
        {known?.as_of.stale && (
          <Notice look="caution" title={t("products.stale.title")}>
            {t("products.stale.text")}
          </Notice>
        )}
        {known ? (
          <>
            <Section title={t("transparency.reserves")} intro={t("transparency.reserves.intro")}>
              {known.reserves.length === 0 ? (
                <div className="panel">
                  <Empty title={t("products.none.title")}>{t("transparency.reserves.none")}</Empty>
                </div>
              ) : (
                <div className="grid gap-6">
                  {known.reserves.map((reserves) => (
                    <ReserveCard key={reserves.short_id} reserves={reserves} contracts={known.contracts} />
                  ))}
                </div>
              )}
            </Section>
            {known.reserves.length > 0 && (
              <Section title={t("transparency.feeds")} intro={t("transparency.feeds.intro")}>
                <div className="panel overflow-hidden">
                  <Feeds reserves={known.reserves} />
                </div>
              </Section>
            )}
            <Section title={t("transparency.roles")} intro={t("transparency.roles.intro")}>
              <div className="panel overflow-hidden">
                {known.roles.length === 0 ? (
                  <Empty title={t("transparency.roles.none")} />
                ) : (
                  <Roles roles={known.roles} />
                )}
              </div>
            </Section>
          </>
        ) : summary.isError ? (
          <ErrorState
            title={t("transparency.failed")}
            error={summary.error}
            busy={summary.isFetching}
            onRetry={() => summary.refetch()}
          />
        ) : (
          <>
            <Section title={t("transparency.reserves")} intro={t("transparency.reserves.intro")}>
              <div className="grid gap-6">
                <Skeleton className="h-80 rounded-12" />
                <Skeleton className="h-80 rounded-12" />
              </div>
            </Section>
            <Section title={t("transparency.roles")} intro={t("transparency.roles.intro")}>
              <div className="panel">
                <TableSkeleton rows={7} />
              </div>
            </Section>
          </>
        )}
        <Suspense fallback={actsSkeleton}>
          <Acts summary={known} />
        </Suspense>
        {known && known.contracts.length > 0 && (
          <Section title={t("transparency.contracts")} intro={t("transparency.contracts.intro")}>
            <Contracts summary={known} />
          </Section>
        )}
        <Notice title={t("transparency.later.title")}>{t("transparency.later.text")}</Notice>
      </div>
    </>
  );
}
