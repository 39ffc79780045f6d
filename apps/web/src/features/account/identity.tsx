import type { AccountInfo, IdentityStatus } from "@aqua/sdk/api/auth";
import type { Identity } from "@aqua/sdk/api/identity";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { formatDate, formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Badge } from "../../ui/badge.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useIdentity } from "./identity.ts";
import { IdentityForm } from "./identity-form.tsx";
import { accountInfoOptions } from "./info.ts";
import { MissingList } from "./missing.tsx";
import { rejectionReason } from "./reasons.ts";

const looks = {
  unverified: "plain",
  pending: "accent",
  verified: "positive",
  rejected: "negative",
  expired: "caution",
} as const satisfies Record<IdentityStatus, string>;

/** Shows the state of the identity check and what is missing, and the form if it is needed. */
export function IdentitySection({ account }: { account: AccountInfo }) {
  const identity = useIdentity();
  const queries = useQueryClient();
  const status = identity.data?.status ?? account.identity_status;
  // The two calls may return different states. Refetching the account makes them consistent on the page.
  useEffect(() => {
    if (status !== account.identity_status) queries.invalidateQueries(accountInfoOptions());
  }, [status, account.identity_status, queries]);

  return (
    <Section
      title={t("profile.identity")}
      aside={<Badge look={looks[status]}>{t(`profile.identity.is.${status}`)}</Badge>}
    >
      <div className="panel p-5 sm:p-6">
        <MissingList account={account} status={status} />
        <div className="mt-5 border-t border-line pt-5">
          {identity.data ? (
            <Standing identity={identity.data} country={account.country} linked={account.wallets.length > 0} />
          ) : identity.isError ? (
            <ErrorState
              title={t("profile.identity.failed")}
              error={identity.error}
              busy={identity.isFetching}
              onRetry={() => identity.refetch()}
            />
          ) : (
            <div aria-busy="true" className="flex flex-col gap-3">
              <Skeleton className="h-16" />
              <Skeleton className="h-11" />
            </div>
          )}
        </div>
      </div>
    </Section>
  );
}

function Standing({ identity, country, linked }: { identity: Identity; country: string; linked: boolean }) {
  const form = <IdentityForm country={country} sandbox={identity.sandbox_names} />;
  switch (identity.status) {
    case "unverified":
      return (
        <div className="flex flex-col gap-5">
          <p className="max-w-[68ch] text-14 text-muted">{t(`profile.identity.by.${identity.provider}`)}</p>
          {form}
        </div>
      );
    case "pending":
      return (
        <Notice live="status" title={t("profile.identity.pending")}>
          <p>{t("profile.identity.pending.text", { time: formatDateTime(identity.submitted_at) })}</p>
        </Notice>
      );
    case "verified":
      return (
        <Notice
          live="status"
          look="success"
          title={t("profile.identity.verified", { date: formatDate(identity.valid_until) })}
        >
          <p>{t(linked ? "profile.identity.verified.linked" : "profile.identity.verified.unlinked")}</p>
        </Notice>
      );
    case "rejected":
      return (
        <div className="flex flex-col gap-5">
          <Notice live="status" look="error" title={t("profile.identity.rejected")}>
            {identity.reason && <p>{t("profile.identity.reason", { reason: rejectionReason(identity.reason) })}</p>}
            <p>{t("profile.identity.rejected.text")}</p>
          </Notice>
          {form}
        </div>
      );
    case "expired":
      return (
        <div className="flex flex-col gap-5">
          <Notice
            live="status"
            look="caution"
            title={t("profile.identity.expired", { date: formatDate(identity.valid_until) })}
          >
            <p>{t("profile.identity.expired.text")}</p>
          </Notice>
          {form}
        </div>
      );
  }
}
