import type { Notifications } from "@aqua/sdk/api/notices";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { type Language, languages } from "../../i18n/languages.ts";
import { Badge } from "../../ui/badge.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Section } from "../../ui/section.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";
import { failureText, type LazyText } from "./failure.ts";
import { Failure } from "./failure-notice.tsx";
import { accountInfoOptions } from "./info.ts";

/** Reads the e-mails that the account receives, and their language. */
function notificationsOptions() {
  return queryOptions({
    queryKey: [...queryKeys.me, "notifications"],
    queryFn: ({ signal }) => api.notifications(signal),
    ...freshness.LAZY,
  });
}

function useNotifications() {
  return useQuery(notificationsOptions());
}

const languageOptions = Object.entries(languages).map(([value, label]) => ({ value: value as Language, label }));

/** Lists the e-mails that an account can receive, each with its switch, and their language. */
export function EmailsSection() {
  const notifications = useNotifications();
  const queries = useQueryClient();
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<LazyText | null>(null);

  async function change(body: Parameters<typeof api.setNotifications>[0]) {
    setSaving(true);
    setFailure(null);
    try {
      queries.setQueryData(notificationsOptions().queryKey, await api.setNotifications(body));
      if (body.language !== undefined) await queries.invalidateQueries(accountInfoOptions());
    } catch (error) {
      const text = failureText(error);
      setFailure(() => text);
    } finally {
      setSaving(false);
    }
  }

  return (
    <Section anchor="emails" title={t("emails.title")} intro={t("emails.always")}>
      <div className="flex flex-col gap-4">
        <Failure text={failure?.() ?? null} />
        {notifications.data ? (
          <div className="panel divide-y divide-line">
            <div className="px-5 py-4">
              <SelectField
                label={t("emails.language")}
                value={notifications.data.language}
                options={languageOptions}
                disabled={saving}
                onChange={(language) => void change({ language })}
              />
            </div>
            <ul className="divide-y divide-line">
              {notifications.data.kinds.map((row) => (
                <li key={row.kind} className="px-5 py-3">
                  <Kind row={row} saving={saving} onChange={(on) => void change({ kinds: { [row.kind]: on } })} />
                </li>
              ))}
            </ul>
          </div>
        ) : notifications.isError ? (
          <ErrorState
            title={t("emails.failed")}
            error={notifications.error}
            busy={notifications.isFetching}
            onRetry={() => notifications.refetch()}
          />
        ) : (
          <div className="panel">
            <TableSkeleton rows={7} />
          </div>
        )}
      </div>
    </Section>
  );
}

interface KindProps {
  row: Notifications["kinds"][number];
  saving: boolean;
  onChange: (on: boolean) => void;
}

function Kind({ row: { kind, on, optional }, saving, onChange }: KindProps) {
  const label = t(`emails.kind.${kind}`);
  const note = t(`emails.about.${kind}`);
  if (optional) return <Switch label={label} note={note} checked={on} disabled={saving} onChange={onChange} />;
  return (
    <div className="flex min-h-11 items-center justify-between gap-4">
      <div className="min-w-0">
        <p className="text-14 font-strong">{label}</p>
        <p className="mt-0.5 text-12 text-muted">{note}</p>
      </div>
      <Badge>{t("emails.required")}</Badge>
    </div>
  );
}
