import type { AccountInfo } from "@aqua/sdk/api/auth";
import { formatCountry, formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Section } from "../../ui/section.tsx";

export function DetailsSection({ account }: { account: AccountInfo }) {
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
