import type { OutboxMail } from "@aqua/sdk/api/auth";
import type { LanguageCode } from "@aqua/sdk/languages";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { Address } from "viem";
import { account } from "../../src/account/schema.ts";
import { createSessions } from "../../src/account/sessions.ts";
import type { Database } from "../../src/db/database.ts";
import type { IndexedChain } from "../../src/indexer/stamp.ts";
import { RetryLater } from "../../src/jobs/runner.ts";
import { createKeys } from "../../src/keys.ts";
import { createMailer } from "../../src/mail/mail.ts";
import { outboxMails } from "../../src/mail/store.ts";
import { outboxTransport } from "../../src/mail/transport.ts";
import { evidenceExpiryMails } from "../../src/notices/evidenceExpiry.ts";
import { createNoticeFeature } from "../../src/notices/feature.ts";
import { NOTICE_JOB, noticeMails } from "../../src/notices/job.ts";
import { lossReviewMails } from "../../src/notices/lossReviews.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { linkWallet, openAccount, type TestAccount } from "../support/accounts.ts";
import { testApp } from "../support/app.ts";
import { workOff } from "../support/jobs.ts";

export interface Notices {
  app: FastifyInstance;
  /** Runs the job once, sends its mails, and returns the new ones, oldest first. */
  turn(): Promise<OutboxMail[]>;
  /** Errors that the job logged. */
  errors: object[];
  close(): Promise<void>;
}

/** The notices of an instance. A second one with the same database acts as a restart. */
export async function openNotices(
  db: Database,
  chains: readonly IndexedChain[],
  now: () => number = Date.now,
): Promise<Notices> {
  const keys = createKeys(new Uint8Array(32).fill(7));
  const mailer = createMailer({
    ...{ keys, transport: outboxTransport(db), publicUrl: "https://aqua.example" },
    definitions: { ...noticeMails, ...evidenceExpiryMails, ...lossReviewMails },
  });
  const errors: object[] = [];
  const feature = createNoticeFeature({
    ...{ db, reads: db, chains, documents: new Map(), keys, sessions: createSessions(db, keys), mailer, now },
    ...{ writer: createLogWriter(keys), operatorMail: [], emit: null },
    notifyJobs: () => {},
    log: { error: (fields) => void errors.push(fields) },
  });
  const { app } = await testApp({ features: [...(feature.routes ?? [])] });
  const job = feature.jobs?.[NOTICE_JOB];
  return {
    app,
    errors,
    async turn() {
      const before = new Set((await outboxMails(db.orm, undefined, 1_000)).map(({ id }) => id));
      const ended = await job?.({}, { id: 1, attempts: 1, waitedMs: 0, signal: new AbortController().signal }).catch(
        (error: unknown) => error,
      );
      if (!(ended instanceof RetryLater)) throw new Error("the job is not done for good", { cause: ended });
      await workOff(db, mailer.handlers);
      return (await outboxMails(db.orm, undefined, 1_000)).filter(({ id }) => !before.has(id)).reverse();
    },
    close: async () => void (await app.close()),
  };
}

/** An account with these wallets, the last one current, that reads `language`. */
export async function openOwner(
  db: Database,
  wallets: readonly Address[],
  language: LanguageCode = "en-US",
): Promise<TestAccount> {
  const owner = await openAccount(db);
  await db.orm.update(account).set({ language }).where(eq(account.id, owner.id));
  for (const wallet of wallets) await linkWallet(db, owner, wallet, async () => `0x${"00".repeat(65)}`);
  return owner;
}
