import { HOUR_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { and, asc, count, eq, gt, isNull } from "drizzle-orm";
import { z } from "zod";
import type { Database, Orm } from "../db/database.ts";
import { type JobHandler, RetryLater } from "../jobs/runner.ts";
import { job } from "../jobs/schema.ts";
import { enqueue } from "../jobs/store.ts";
import { type ContentOf, defineMail } from "../mail/definition.ts";
import type { Mailer } from "../mail/mail.ts";
import { auditFinding } from "./schema.ts";
import type { Finding } from "./store.ts";

/** Mails to operators. They go to addresses of the settings, in English, since no account has chosen a language. */
export const auditMails = {
  /** `count`: findings since the last such mail; `open`: all that are not corrected. */
  audit_findings: defineMail<{
    count: number;
    open: number;
    tables: string;
    lines: readonly { row: string; expected: string; found: string }[];
  }>({ action: "audit_findings.action", page: "/transparency" }),
  audit_corrected: defineMail({ action: "audit_findings.action", page: "/transparency" }),
};
type AuditMail = ContentOf<typeof auditMails>;

export const AUDIT_MAIL_JOB = "audit.mail";
/** Findings of this time are in one mail: an audit compares all rows before it corrects them. */
const GROUP_MS = MINUTE_MS;
/** Between two mails about findings. */
const BETWEEN_MS = HOUR_MS;
const LOOK_MS = 30_000;
/** Rows that a mail names. */
const ROWS = 5;
/** Longer values are cut, such as the content of a document. */
const VALUE_LENGTH = 100;

/** What the job has told: findings up to this id, when, and whether it has told that all are corrected. */
const told = z.object({ id: z.number(), at: z.number(), isCorrected: z.boolean() });

/** Makes the job that tells operators of these and later findings. One job lasts until it has told all. */
export async function scheduleAuditMail(tx: Orm, findings: readonly { id: number }[], now: number): Promise<void> {
  const first = Math.min(...findings.map(({ id }) => id));
  const payload: z.infer<typeof told> = { id: first - 1, at: 0, isCorrected: true };
  await enqueue(tx, { kind: AUDIT_MAIL_JOB, dedupeKey: AUDIT_MAIL_JOB, payload, runAt: now + GROUP_MS });
}

/** The same for a finding that is open without a job. Such a job ended while the finding was recorded. */
export async function scheduleOpenAuditMail(orm: Orm, now: number): Promise<void> {
  const isOpen = isNull(auditFinding.healed);
  const [first] = await orm
    .select({ id: auditFinding.id })
    .from(auditFinding)
    .where(isOpen)
    .orderBy(asc(auditFinding.id))
    .limit(1);
  if (first) await scheduleAuditMail(orm, [first], now);
}

/** Sends one mail about new findings at most once an hour, and one when all are corrected. */
export function createAuditMailJob({
  db,
  to,
  mailer,
  notifyJobs,
  now = Date.now,
}: {
  db: Pick<Database, "transaction">;
  /** Addresses of the operators. */
  to: readonly string[];
  mailer: Pick<Mailer<AuditMail>, "enqueue">;
  notifyJobs(): void;
  now?: () => number;
}): JobHandler {
  return async (payload) => {
    if (to.length === 0) return;
    const state = told.parse(payload);
    const time = now();
    const next = await db.transaction(async (tx) => {
      const found = await tx
        .select()
        .from(auditFinding)
        .where(gt(auditFinding.id, state.id))
        .orderBy(asc(auditFinding.id));
      const [counted] = await tx.select({ open: count() }).from(auditFinding).where(isNull(auditFinding.healed));
      const open = counted?.open ?? 0;
      const contents: AuditMail[] = [];
      const after = { ...state };
      const last = found.at(-1);
      if (last && time - state.at >= BETWEEN_MS) {
        contents.push(findingsMail(found, open));
        Object.assign(after, { id: last.id, at: time, isCorrected: false });
      }
      if (open === 0 && !after.isCorrected) {
        contents.push({ kind: "audit_corrected" });
        after.isCorrected = true;
      }
      for (const content of contents)
        for (const address of to) await mailer.enqueue(tx, { to: address, language: "en-US", content });
      // In one transaction with the mails, so that a mail is sent once even if the process dies.
      await tx
        .update(job)
        .set({ payload: after })
        .where(and(eq(job.kind, AUDIT_MAIL_JOB), eq(job.dedupeKey, AUDIT_MAIL_JOB)));
      return { open, after, isTold: (last?.id ?? 0) <= after.id };
    });
    notifyJobs();
    // It lasts for the hour after a mail, so that new findings wait for its end.
    const isOver = next.open === 0 && next.isTold && time - next.after.at >= BETWEEN_MS;
    if (!isOver) throw new RetryLater(LOOK_MS);
  };
}

function findingsMail(found: readonly Finding[], open: number): AuditMail {
  const short = (value: string | null) =>
    value === null ? "—" : value.length > VALUE_LENGTH ? `${value.slice(0, VALUE_LENGTH)}…` : value;
  return {
    kind: "audit_findings",
    count: found.length,
    open,
    tables: [...new Set(found.map(({ table }) => table))].join(", "),
    lines: found.slice(0, ROWS).map(({ table, row, column, expected, found: is }) => ({
      row: [table, row, column].filter(Boolean).join(" · "),
      expected: short(expected),
      found: short(is),
    })),
  };
}
