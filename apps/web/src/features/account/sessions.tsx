import type { SessionInfo } from "@aqua/sdk/api/auth";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { formatDateTime, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Section } from "../../ui/section.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { useNow } from "../../ui/use-now.ts";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";
import { failureText, hasCode, type LazyText } from "./failure.ts";
import { Failure } from "./failure-notice.tsx";
import { logOut } from "./log-out.ts";

function sessionsOptions() {
  return queryOptions({
    queryKey: [...queryKeys.me, "sessions"],
    queryFn: ({ signal }) => api.sessions(signal),
    ...freshness.LAZY,
  });
}

function useSessions() {
  return useQuery(sessionsOptions());
}

/** Lists the account's log-ins. Each can be ended, or all of them. */
export function SessionsSection() {
  const sessions = useSessions();
  const queries = useQueryClient();
  const now = useNow(30_000);
  /** The log-in that is being ended; "all" for all of them. */
  const [ending, setEnding] = useState<string | null>(null);
  const [failure, setFailure] = useState<LazyText | null>(null);

  async function end(which: string, work: () => Promise<unknown>) {
    setEnding(which);
    setFailure(null);
    try {
      await work();
      await queries.invalidateQueries(sessionsOptions());
    } catch (error) {
      // `not_found` means that the session has already ended, as intended.
      if (hasCode(error, "not_found")) await queries.invalidateQueries(sessionsOptions());
      else {
        const text = failureText(error);
        setFailure(() => text);
      }
    } finally {
      setEnding(null);
    }
  }

  return (
    <Section
      title={t("profile.sessions")}
      aside={
        <Button
          look="secondary"
          size="small"
          busy={ending === "all"}
          onClick={() =>
            end("all", async () => {
              await api.endSessions();
              await logOut();
            })
          }
        >
          {t("profile.sessions.all")}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Failure text={failure?.() ?? null} />
        {sessions.data ? (
          <ul className="panel divide-y divide-line">
            {sessions.data.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                now={now}
                busy={ending === session.id}
                onEnd={() => end(session.id, () => api.endSessions({ id: session.id }))}
              />
            ))}
          </ul>
        ) : sessions.isError ? (
          <ErrorState error={sessions.error} busy={sessions.isFetching} onRetry={() => sessions.refetch()} />
        ) : (
          <div className="panel">
            <TableSkeleton rows={2} />
          </div>
        )}
      </div>
    </Section>
  );
}

interface SessionRowProps {
  session: SessionInfo;
  now: number;
  busy: boolean;
  onEnd: () => void;
}

function SessionRow({ session, now, busy, onEnd }: SessionRowProps) {
  const device = session.user_agent ?? t("profile.sessions.unknown");
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-14 font-strong wrap-anywhere">
          {device}
          {session.current && <Badge look="accent">{t("profile.sessions.here")}</Badge>}
        </p>
        <p className="mt-0.5 text-12 text-muted">
          {t("profile.sessions.used", {
            used: formatRelative(Math.min(session.last_use, now), now),
            since: formatDateTime(session.create_time),
          })}
          {session.place && ` · ${t("security.place", { place: session.place })}`}
        </p>
      </div>
      {!session.current && (
        <Button
          look="quiet"
          size="small"
          busy={busy}
          onClick={onEnd}
          aria-label={t("profile.sessions.endOne", { device })}
        >
          {t("profile.sessions.end")}
        </Button>
      )}
    </li>
  );
}
