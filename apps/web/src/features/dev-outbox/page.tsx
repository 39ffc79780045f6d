import type { OutboxMail } from "@aqua/sdk/api/auth";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { formatDateTime, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { cx } from "../../ui/class-names.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useNow } from "../../ui/use-now.ts";
import { api } from "../api.ts";
import { NotFound } from "../errors/not-found.tsx";
import { useNetwork } from "../network.ts";

/** Polling interval for new mails, in milliseconds. It is short, because the visitor waits here for a code. */
const pace = 3_000;

function outboxOptions(to: string) {
  return queryOptions({
    queryKey: ["outbox", to],
    queryFn: ({ signal }) => api.outbox(to === "" ? {} : { to }, signal),
    staleTime: 0,
    refetchInterval: pace,
  });
}

/** Lists the mails that a demo would have sent. In any other instance the page is a 404. */
export default function DevOutboxPage() {
  const network = useNetwork();
  if (network.data) return network.data.demo ? <Outbox /> : <NotFound />;
  if (network.isError)
    return (
      <div className="page pt-8">
        <ErrorState error={network.error} busy={network.isFetching} onRetry={() => network.refetch()} />
      </div>
    );
  return <Loading />;
}

function Outbox() {
  usePageTitle(t("outbox.title"));
  const [search, setSearch] = useSearchParams();
  const to = search.get("to") ?? "";
  const mails = useQuery(outboxOptions(to.trim().toLowerCase()));
  const now = useNow(5_000);
  const opened = mails.data?.find(({ id }) => id === search.get("mail")) ?? mails.data?.[0];

  function change(name: string, value: string) {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(name);
    else next.set(name, value);
    if (name === "to") next.delete("mail");
    setSearch(next, { replace: true });
  }

  return (
    <>
      <PageHead seed="outbox" title={t("outbox.title")} lead={t("outbox.lead")} />
      <div className="page flex flex-col gap-6 pt-8">
        <TextField
          label={t("outbox.to")}
          type="search"
          value={to}
          autoComplete="off"
          placeholder={t("outbox.everyone")}
          onChange={(event) => change("to", event.target.value)}
          className="max-w-[440px]"
        />
        {mails.isError && (
          <ErrorState
            title={t("outbox.failed")}
            error={mails.error}
            busy={mails.isFetching}
            onRetry={() => mails.refetch()}
          />
        )}
        {mails.data === undefined ? (
          !mails.isError && (
            <div aria-busy="true" className="grid gap-6 lg:grid-cols-[360px_minmax(0,1fr)]">
              <Skeleton className="h-52" />
              <Skeleton className="h-80" />
            </div>
          )
        ) : opened === undefined ? (
          <div className="panel">
            <Empty title={t(to === "" ? "outbox.none" : "outbox.noneFor", { to })}>{t("outbox.none.text")}</Empty>
          </div>
        ) : (
          <div className="grid items-start gap-6 lg:grid-cols-[360px_minmax(0,1fr)]">
            <ul aria-label={t("outbox.list")} className="panel max-h-[60vh] divide-y divide-line overflow-y-auto">
              {mails.data.map((mail) => (
                <li key={mail.id}>
                  <button
                    type="button"
                    aria-current={mail.id === opened.id ? "true" : undefined}
                    onClick={() => change("mail", mail.id)}
                    className={cx(
                      "block w-full px-4 py-3 text-left text-14 -outline-offset-2",
                      mail.id === opened.id ? "bg-accent/10" : "hover:bg-ground",
                    )}
                  >
                    <span className="flex items-baseline justify-between gap-3">
                      <span className="min-w-0 truncate font-strong">{mail.subject}</span>
                      <span className="shrink-0 text-12 text-muted">{formatRelative(mail.time, now)}</span>
                    </span>
                    <span className="block truncate text-muted">{mail.to}</span>
                  </button>
                </li>
              ))}
            </ul>
            <Mail key={opened.id} mail={opened} />
          </div>
        )}
      </div>
    </>
  );
}

/** The six-digit code in a mail; null if there is none. */
function codeIn(text: string): string | null {
  return text.match(/(?<!\d)\d{6}(?!\d)/)?.[0] ?? null;
}

function Mail({ mail }: { mail: OutboxMail }) {
  const [view, setView] = useState<"html" | "text">("html");
  const code = codeIn(mail.text);
  return (
    <article aria-label={mail.subject} className="panel min-w-0 overflow-hidden">
      <div className="flex flex-wrap items-start justify-between gap-4 border-b border-line p-5">
        <div className="min-w-0">
          <h2 className="text-16 wrap-anywhere">{mail.subject}</h2>
          <p className="mt-1 text-14 text-muted wrap-anywhere">
            {t("outbox.sent", { to: mail.to, time: formatDateTime(mail.time) })}
          </p>
          {code && (
            <p className="mt-2 flex items-center gap-1 font-mono text-20">
              {code}
              <CopyButton text={code} what={t("outbox.code")} />
            </p>
          )}
        </div>
        <Segmented
          label={t("outbox.view")}
          value={view}
          onChange={setView}
          options={[
            { value: "html", label: "HTML" },
            { value: "text", label: t("outbox.view.text") },
          ]}
        />
      </div>
      {view === "text" ? (
        <pre className="p-5 font-mono text-14 whitespace-pre-wrap wrap-anywhere">{mail.text}</pre>
      ) : (
        // No permissions: the mail's scripts do not run, and its links cannot navigate this page.
        <iframe title={mail.subject} sandbox="" srcDoc={mail.html} className="block h-[60vh] w-full bg-white" />
      )}
    </article>
  );
}
