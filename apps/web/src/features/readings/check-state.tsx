import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

interface CheckingProps {
  check: Pick<UseQueryResult, "isError" | "error" | "isFetching" | "refetch">;
  /** Texts for a failed check and a running check. */
  failed: string;
  checking: string;
  /** Progress of the check. */
  children?: ReactNode;
}

/** A check without a result: it is running, or it failed and can be retried. */
export function Checking({ check, failed, checking, children }: CheckingProps) {
  if (check.isError)
    return <ErrorState title={failed} error={check.error} busy={check.isFetching} onRetry={() => check.refetch()} />;
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <p role="status" className="text-14 text-muted">
        {checking}
      </p>
      {children}
      <Skeleton className="h-120" />
    </div>
  );
}

/** The button that repeats a finished check. */
export function CheckAgain({ check }: Pick<CheckingProps, "check">) {
  return (
    <div>
      <Button size="small" look="secondary" busy={check.isFetching} onClick={() => check.refetch()}>
        {t("readings.proof.again")}
      </Button>
    </div>
  );
}
