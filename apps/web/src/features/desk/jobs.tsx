import type { DeskState } from "@aqua/sdk/api/desk";
import type { OperatorStatus } from "@aqua/sdk/api/operator";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { formatCount, formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { failureText, type LazyText } from "../account/failure.ts";
import { Failure } from "../account/failure-notice.tsx";
import { Answer } from "../transparency/query-state.tsx";
import { desk } from "./calls.ts";
import { Command } from "./command.tsx";
import { commands } from "./commands.ts";
import { MissingScope, mayRead } from "./parts.tsx";
import { useStatus } from "./queries.ts";
import { deskKey } from "./session.ts";
import { Waiting } from "./waiting.tsx";

type Job = OperatorStatus["troubled_jobs"][number];

const columns = (): Column<Job>[] => [
  {
    key: "kind",
    title: t("desk.jobs.kind"),
    lead: true,
    render: ({ kind, id }) => (
      <span className="font-mono">
        {kind} · {id}
      </span>
    ),
  },
  {
    key: "state",
    title: t("desk.state"),
    render: ({ state, at }) => t(`desk.jobs.${state}`, { time: formatDateTime(at) }),
  },
  { key: "tries", title: t("desk.jobs.tries"), figure: true, render: ({ tries }) => formatCount(tries) },
  {
    key: "reason",
    title: t("desk.reason"),
    render: ({ reason }) => <span className="wrap-anywhere">{reason}</span>,
  },
];

/** E-mails and other jobs that failed, with the reason, and parts of the server that do not work fully. */
export function Jobs({ state }: { state: DeskState }) {
  const isAllowed = mayRead(state, "operations", "read");
  const status = useStatus(isAllowed);
  return (
    <Section anchor="jobs" title={t("desk.jobs")} intro={t("desk.jobs.intro")}>
      {isAllowed ? (
        <div className="panel overflow-hidden">
          <Answer query={status} failed={t("desk.jobs.failed")} skeleton={<TableSkeleton rows={3} />}>
            {(known) => (
              <>
                <Degraded status={known} />
                {known.troubled_jobs.length === 0 ? (
                  <Empty title={t("desk.jobs.none")} />
                ) : (
                  <Table
                    caption={t("desk.jobs.troubled")}
                    columns={columns()}
                    rows={known.troubled_jobs}
                    rowKey={({ id }) => String(id)}
                    detail={(job) => <Retry job={job} state={state} />}
                  />
                )}
              </>
            )}
          </Answer>
        </div>
      ) : (
        <MissingScope state={state} needed="operations" />
      )}
      <div className="mt-4">
        <Command line={commands.status()} does={t("desk.jobs.command")} />
      </div>
    </Section>
  );
}

/** Parts that do not work fully, and anchoring that stopped. */
function Degraded({ status: { degraded, anchoring } }: { status: OperatorStatus }) {
  const lines = [
    ...degraded.map(({ part, reason, note }) => [part, reason, note].filter(Boolean).join(" · ")),
    ...anchoring.flatMap(({ short_id, stopped }) => (stopped === null ? [] : [`${short_id} · ${stopped}`])),
  ];
  if (lines.length === 0) return null;
  return (
    <div className="p-5">
      <Notice look="caution" title={t("desk.jobs.degraded")}>
        <ul>
          {lines.map((line) => (
            <li key={line} className="wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

/** Tries a job again, where the operator may; otherwise the command for one who may. */
function Retry({ job: { id }, state }: { job: Job; state: DeskState }) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<LazyText | null>(null);
  const [waiting, setWaiting] = useState<Awaited<ReturnType<typeof desk.retry>>["waiting"]>(null);

  async function retry() {
    setBusy(true);
    setFailure(null);
    try {
      const answer = await desk.retry({ id });
      setWaiting(answer.waiting);
      await queries.invalidateQueries({ queryKey: [...deskKey, "status"] });
    } catch (error) {
      const text = failureText(error);
      setFailure(() => text);
    } finally {
      setBusy(false);
    }
  }

  if (state.signs || !state.scopes.includes("operations")) return <Command line={commands.retryJob(id)} />;
  return (
    <div className="flex flex-col items-start gap-3">
      <Button look="secondary" size="small" busy={busy} aria-label={t("desk.jobs.retryOne", { id })} onClick={retry}>
        {t("desk.jobs.retry")}
      </Button>
      <Failure text={failure?.() ?? null} />
      <div role="status" className="contents">
        {waiting && <Waiting waiting={waiting} />}
      </div>
    </div>
  );
}
