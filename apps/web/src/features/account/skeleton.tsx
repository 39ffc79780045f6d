import { t } from "../../i18n/i18n.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

/** A skeleton with the height of the account page. */
export function AccountSkeleton() {
  return (
    <div role="status" aria-busy="true" className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_360px]">
      <span className="sr-only">{t("ui.loading")}</span>
      <div className="flex flex-col gap-10">
        <Skeleton className="h-64" />
        <Skeleton className="h-44" />
        <Skeleton className="h-44" />
      </div>
      <div className="flex flex-col gap-10">
        <Skeleton className="h-56" />
        <Skeleton className="h-72" />
      </div>
    </div>
  );
}
