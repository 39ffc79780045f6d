import type { AccountInfo } from "@aqua/sdk/api/auth";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "react-router";
import { formatCountry, formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Section } from "../../ui/section.tsx";
import { DataSection } from "./data.tsx";
import { EmailsSection } from "./emails.tsx";
import { IdentitySection } from "./identity.tsx";
import { accountInfoOptions } from "./info.ts";
import { SecuritySection } from "./security/section.tsx";
import { SessionsSection } from "./sessions.tsx";
import { AccountSkeleton } from "./skeleton.tsx";
import { WalletsSection } from "./wallets.tsx";

function DetailsSection({ account }: { account: AccountInfo }) {
  const rows = [
    { title: t("forms.email"), text: account.email },
    { title: t("register.country"), text: formatCountry(account.country) },
    { title: t("profile.details.since"), text: formatDate(account.create_time) },
  ];
  return (
    <Section title={t("profile.details")}>
      <dl className="panel divide-y divide-line">
        {rows.map(({ title, text }) => (
          <div key={title} className="px-5 py-3">
            <dt className="text-12 text-muted">{title}</dt>
            <dd className="mt-0.5 text-14 wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** The records on chain arrive as events; this polling interval, in milliseconds, covers a lost event. */
const recordPace = 10_000;

/** The page of the logged-in account: identity, wallets, security, settings and data. */
export default function Account() {
  const account = useQuery({
    ...accountInfoOptions(),
    refetchInterval: ({ state }) =>
      state.data?.wallets.some(({ bindings }) => bindings.some((binding) => binding.state === "sent")) ||
      (state.data?.identity_status === "verified" &&
        state.data.wallets[0]?.bindings.some((binding) => binding.state === "waiting"))
        ? recordPace
        : false,
  });
  useNamedPart(account.data !== undefined);
  if (account.isError && !account.data)
    return (
      <ErrorState
        title={t("profile.failed")}
        error={account.error}
        busy={account.isFetching}
        onRetry={() => account.refetch()}
      />
    );
  if (!account.data) return <AccountSkeleton />;
  return (
    <div className="grid items-start gap-x-10 gap-y-12 lg:grid-cols-[minmax(0,1fr)_360px]">
      <div className="flex min-w-0 flex-col gap-12">
        <IdentitySection account={account.data} />
        <WalletsSection account={account.data} />
        <SecuritySection account={account.data} />
        <EmailsSection />
        <div id="settings" className="scroll-mt-24">
          <SessionsSection />
        </div>
      </div>
      <div className="flex min-w-0 flex-col gap-12">
        <div id="profile" className="scroll-mt-24">
          <DetailsSection account={account.data} />
        </div>
        <DataSection />
      </div>
    </div>
  );
}

/** Scrolls to the part that the address names (#profile, #settings, #emails, #wallets) once it is rendered. */
function useNamedPart(ready: boolean) {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with every navigation
  useEffect(() => {
    if (!ready || hash === "") return;
    // Runs after the layout has scrolled to the top.
    const timer = setTimeout(() => document.getElementById(hash.slice(1))?.scrollIntoView());
    return () => clearTimeout(timer);
  }, [ready, hash, key]);
}
