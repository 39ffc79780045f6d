import { t } from "../../i18n/i18n.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

/** As high as a step with one field. */
export function StepSkeleton() {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-3">
      <span className="sr-only">{t("ui.loading")}</span>
      <Skeleton className="h-5 w-28" />
      <Skeleton className="h-14" />
      <Skeleton className="mt-3 h-11" />
    </div>
  );
}
