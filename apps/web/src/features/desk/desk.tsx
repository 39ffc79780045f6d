import type { DeskState } from "@aqua/sdk/api/desk";
import { formatCount, formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { toast } from "../../ui/toast.tsx";
import { useNow } from "../../ui/use-now.ts";
import { hasCode } from "../account/failure.ts";
import { useAudit } from "../transparency/audit.ts";
import { AuditRecord } from "../transparency/audit-record.tsx";
import { Answer } from "../transparency/query-state.tsx";
import { useTransparency } from "../transparency/summary.ts";
import { desk } from "./calls.ts";
import { Command } from "./command.tsx";
import { commands } from "./commands.ts";
import { Devices } from "./devices.tsx";
import { Identity } from "./identity.tsx";
import { Income } from "./income.tsx";
import { Jobs } from "./jobs.tsx";
import { countPending, Losses } from "./losses.tsx";
import { mayRead } from "./parts.tsx";
import {
  isQuiet,
  isReportDue,
  lacksCash,
  useCases,
  useDeskState,
  useDevicesInService,
  useNextIncomes,
  useQueues,
  useStatus,
} from "./queries.ts";
import { Queue } from "./queue.tsx";
import { Scheduled } from "./scheduled.tsx";
import { deskToken, forgetDeskToken } from "./session.ts";

/** Ends the log-in here even if the server does not answer, and then says that the server still knows it. */
async function logOut() {
  try {
    await desk.logOut();
  } catch (error) {
    if (!hasCode(error, "token_error"))
      toast({ title: t("desk.logOut.failed"), description: t("desk.logOut.failed.text"), look: "error" });
  }
  if (deskToken() !== null) forgetDeskToken(false);
}

/** What needs a person, then each part of the daily work. */
export default function Desk() {
  const state = useDeskState();
  return (
    <>
      <PageHead
        seed="desk"
        title={t("desk.title")}
        lead={state.data && <span className="wrap-anywhere">{lead(state.data)}</span>}
        aside={
          <Button look="secondary" onClick={logOut}>
            {t("profile.sessions.end")}
          </Button>
        }
      />
      <div className="page pt-8">
        <Answer query={state} failed={t("desk.failed")} skeleton={<Skeleton className="h-[40rem] rounded-12" />}>
          {(known) => <Parts state={known} />}
        </Answer>
      </div>
    </>
  );
}

function lead({ name, scopes, expires_at }: DeskState): string {
  const who = t("desk.who", { name, scopes: scopes.join(", ") });
  return expires_at === null ? who : `${who} ${t("desk.until", { until: formatDateTime(expires_at) })}`;
}

function Parts({ state }: { state: DeskState }) {
  return (
    <div className="flex flex-col gap-12">
      <div className="flex flex-col gap-4">
        {state.signs && <Notice title={t("desk.signs")}>{t("desk.signs.text")}</Notice>}
        <Overview state={state} />
      </div>
      <Identity state={state} />
      <Devices />
      <Income />
      <Losses />
      <Queue />
      <Scheduled />
      <Findings />
      <Jobs state={state} />
    </div>
  );
}

/** What the audit of the stored figures has found, and the command that repeats it from outside. */
function Findings() {
  return (
    <div className="min-w-0">
      <AuditRecord />
      <div className="mt-4">
        <Command line={commands.audit(location.origin)} does={t("desk.findings.command")} />
      </div>
    </div>
  );
}

/** Links to the parts with their numbers. Those that need a person come first; an unknown number is not 0. */
function Overview({ state }: { state: DeskState }) {
  const now = useNow(60_000);
  const summary = useTransparency().data;
  const cases = useCases({ status: "pending", page: 1 }, mayRead(state, "identity"));
  const devices = useDevicesInService();
  const incomes = useNextIncomes(summary);
  const queues = useQueues(summary);
  const audit = useAudit();
  const status = useStatus(mayRead(state, "operations", "read"));
  const links = [
    { to: "identity", label: t("desk.identity"), count: cases.data?.total },
    { to: "devices", label: t("desk.devices.quiet"), count: devices.data?.filter(isQuiet).length },
    { to: "income", label: t("desk.income.due"), count: incomes.data?.filter((one) => isReportDue(one, now)).length },
    { to: "losses", label: t("desk.losses"), count: summary && countPending(summary.reserves, now) },
    { to: "queue", label: t("desk.queue.waiting"), count: queues.data?.filter(lacksCash).length },
    { to: "scheduled", label: t("desk.scheduled"), count: summary?.scheduled.length },
    { to: "audit", label: t("desk.findings"), count: audit.data?.chains.reduce((sum, { open }) => sum + open, 0) },
    {
      to: "jobs",
      label: t("desk.jobs.troubled"),
      count: status.data?.jobs.reduce((sum, { failing, abandoned }) => sum + failing + abandoned, 0),
    },
  ];
  const needs = ({ count = 0 }: { count: number | undefined }) => (count > 0 ? 0 : 1);
  return (
    <nav aria-labelledby="desk-needs">
      <h2 id="desk-needs" className="mb-4 text-20">
        {t("desk.needs")}
      </h2>
      <ul className="grid grid-cols-2 gap-3 md:grid-cols-4">
        {[...links]
          .sort((a, b) => needs(a) - needs(b))
          .map(({ to, label, count }) => (
            <li key={to}>
              <a href={`#${to}`} className="panel block h-full p-4 hover:border-accent">
                <span className={cx("block text-28", needs({ count }) === 0 ? "font-strong" : "text-muted")}>
                  {formatCount(count)}
                </span>{" "}
                <span className="block text-14">{label}</span>
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}
