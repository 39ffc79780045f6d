import type { OutboxMail } from "@aqua/sdk/api/auth";
import { and, count, desc, eq, isNotNull, isNull, lte } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { job } from "../jobs/schema.ts";
import { MAIL_JOB } from "./mail.ts";
import { mailOutbox } from "./schema.ts";

/** Stored mails, newest first. `recipient` selects those of one recipient. */
export async function outboxMails(orm: Orm, recipient: string | undefined, most: number): Promise<OutboxMail[]> {
  const rows = await orm
    .select()
    .from(mailOutbox)
    .where(recipient === undefined ? undefined : eq(mailOutbox.recipient, recipient))
    .orderBy(desc(mailOutbox.createTime), desc(mailOutbox.id))
    .limit(most);
  return rows.map(({ id, recipient: to, subject, text, html, headers, createTime: time }) => {
    return { id, to, subject, text, html, headers, time };
  });
}

export async function deleteMailsTo(tx: Orm, recipient: string): Promise<void> {
  await tx.delete(mailOutbox).where(eq(mailOutbox.recipient, recipient));
}

export async function deleteOldMails(orm: Orm, before: number): Promise<void> {
  await orm.delete(mailOutbox).where(lte(mailOutbox.createTime, before));
}

/** Counts mails whose last attempt failed and that will be retried. */
export async function countWaiting(orm: Orm): Promise<number> {
  const waits = and(eq(job.kind, MAIL_JOB), isNotNull(job.lastError), isNull(job.failedTime));
  const [row] = await orm.select({ mails: count() }).from(job).where(waits);
  return row?.mails ?? 0;
}
