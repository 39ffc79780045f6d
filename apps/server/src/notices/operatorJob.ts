import type { Database, Orm } from "../db/database.ts";
import type { IndexedChain } from "../indexer/stamp.ts";
import { type JobHandler, RetryLater } from "../jobs/runner.ts";
import { enqueue } from "../jobs/store.ts";
import type { MailContent } from "../mail/definition.ts";
import type { Mailer } from "../mail/mail.ts";
import type { Documents } from "../product/documents.ts";
import type { EmitWebhook } from "../webhooks/emit.ts";

/** Who is notified of what needs an operator. */
export interface OperatorNotices {
  /** Addresses of OPERATOR_MAIL. */
  operatorMail: readonly string[];
  /** Sends a webhook. Null without WEBHOOK_URL. */
  emit: EmitWebhook | null;
}

export interface OperatorJobParts<Mail extends MailContent> extends OperatorNotices {
  db: Database;
  chains: readonly IndexedChain[];
  documents: Documents;
  mailer: Pick<Mailer<Mail>, "enqueue">;
  /** Called after notices were enqueued. */
  notifyJobs(): void;
  log: { error(fields: object, message: string): void };
  /** The current time in Unix milliseconds. */
  now?: () => number;
}

const hasReceiver = ({ operatorMail, emit }: OperatorNotices) => operatorMail.length > 0 || emit !== null;

/** Enqueues one job of this kind for all processes of an instance, unless no receiver is set. */
export async function scheduleOperatorJob(orm: Orm, kind: string, to: OperatorNotices): Promise<void> {
  if (hasReceiver(to)) await enqueue(orm, { kind, payload: {}, dedupeKey: kind });
}

/** A job that sends the due notices of each chain every `everyMs`. `about` names its subject in the log. */
export function createOperatorJob(
  parts: OperatorNotices & Pick<OperatorJobParts<MailContent>, "chains" | "log">,
  { everyMs, about, sendDue }: { everyMs: number; about: string; sendDue: (chain: IndexedChain) => Promise<void> },
): JobHandler {
  const chains = parts.chains.filter(({ deployment }) => deployment !== null);
  return async (_payload, { signal }) => {
    // Without a receiver nothing is marked as sent. A receiver that is set later gets the newest notice.
    if (!hasReceiver(parts)) return;
    for (const chain of chains) {
      if (signal.aborted) break;
      try {
        await sendDue(chain);
      } catch (error) {
        // A problem with one chain must not delay the others.
        const message = `notices about ${about} cannot be sent; sending is retried`;
        parts.log.error({ err: error, chain_id: chain.chainId }, message);
      }
    }
    throw new RetryLater(everyMs);
  };
}
