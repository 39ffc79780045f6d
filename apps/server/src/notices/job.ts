import { MINUTE_MS } from "@aqua/sdk/durations";
import type { LanguageCode } from "@aqua/sdk/languages";
import { eq } from "drizzle-orm";
import { account } from "../account/schema.ts";
import { anyOf } from "../db/anyOf.ts";
import type { Database, Orm } from "../db/database.ts";
import { type IndexedChain, stampOf } from "../indexer/stamp.ts";
import { type JobHandler, RetryLater } from "../jobs/runner.ts";
import { enqueue } from "../jobs/store.ts";
import type { Keys } from "../keys.ts";
import type { ContentOf } from "../mail/definition.ts";
import type { Mailer } from "../mail/mail.ts";
import type { createChainStates } from "../portfolio/chainState.ts";
import type { Documents } from "../product/documents.ts";
import { evidence, evidenceMails } from "./evidence.ts";
import { income, incomeMails } from "./income.ts";
import { losses, lossMails } from "./losses.ts";
import { maturities, maturityMails } from "./maturities.ts";
import type { ChainView, Notice } from "./notice.ts";
import { ownerActs, ownerMails } from "./ownerActs.ts";
import { isOptional, preferencesOf } from "./preferences.ts";
import { recoveries, recoveryMails } from "./recoveries.ts";
import { markSent, sentAmong } from "./store.ts";
import { unsubscribeToken } from "./unsubscribe.ts";
import { verification, verificationMails } from "./verification.ts";
import { withdrawalMails, withdrawals } from "./withdrawals.ts";

export interface NoticeJobParts {
  db: Database;
  chains: readonly IndexedChain[];
  documents: Documents;
  states: ReturnType<typeof createChainStates>;
  keys: Keys;
  mailer: Pick<Mailer<NoticeMail>, "enqueue">;
  /** Called after notices were enqueued. */
  notifyJobs(): void;
  log: { error(fields: object, message: string): void };
  /** The current time in Unix milliseconds, for facts that end by the clock and not by a block. */
  now?: () => number;
}

export const NOTICE_JOB = "notices";
const EVERY_MS = 30_000;
const AFTER_FAILURE_MS = 5 * MINUTE_MS;
/**
 * The maximum number of notices composed in one snapshot of a chain. A fee change reaches every holder, and a snapshot
 * must be short.
 */
const MAX_TOGETHER = 200;

/** Enqueues one job for all processes of an instance. */
export function scheduleNotices(orm: Orm): Promise<void> {
  return enqueue(orm, { kind: NOTICE_JOB, payload: {}, dedupeKey: NOTICE_JOB });
}

export const noticeMails = {
  ...recoveryMails,
  ...ownerMails,
  ...lossMails,
  ...withdrawalMails,
  ...maturityMails,
  ...verificationMails,
  ...evidenceMails,
  ...incomeMails,
};
export type NoticeMail = ContentOf<typeof noticeMails>;

/** The notices about facts on a chain. Each file has the name of its kind in the API. */
const chainNotices: readonly ((view: ChainView) => Promise<Notice<NoticeMail>[]>)[] = [
  recoveries,
  ownerActs,
  losses,
  withdrawals,
  maturities,
  evidence,
  income,
];

/** The result of one run that decides when the next one starts. */
interface Turn {
  failed: boolean;
  more: boolean;
}

interface Composed extends Notice<NoticeMail> {
  language: LanguageCode;
  content: NoticeMail | null;
}

/**
 * Sends accounts the notices that they have not received yet. Every run starts from the current tables: only facts that
 * are pending or due now cause a notice. A first start that reads years of events therefore sends no old notices.
 */
export function createNoticeJob(parts: NoticeJobParts): JobHandler {
  const { db, documents, states, keys, mailer, notifyJobs, log, now = Date.now } = parts;
  const chains = parts.chains.filter(({ deployment }) => deployment !== null);

  return async (_payload, { signal }) => {
    const turn: Turn = { failed: false, more: false };
    const passes = [
      () => db.transaction(async (tx) => compose(tx, await verification(tx, now()), turn)),
      ...chains.map((chain) => () => onChain(chain, turn)),
    ];
    for (const pass of passes) {
      if (signal.aborted) break;
      try {
        await send(await pass());
      } catch (error) {
        // A problem with one chain must not delay the others.
        log.error({ err: error }, "notices cannot be sent; sending is retried");
        turn.failed = true;
      }
    }
    throw new RetryLater(turn.failed ? AFTER_FAILURE_MS : turn.more ? 0 : EVERY_MS);
  };

  /**
   * Composes the notices of a chain. Returns none while the tables are behind the chain, because a fact that looks
   * pending may be over.
   */
  function onChain(chain: IndexedChain, turn: Turn): Promise<Composed[]> {
    return db.transaction(async (tx) => {
      const asOf = await stampOf(tx, chain);
      if (asOf === null || asOf.stale) return [];
      const [snapshot] = await states.at(tx, [chain]);
      if (snapshot === undefined) return [];
      const view = { tx, chain, asOf, state: snapshot.state, states, documents };
      const notices: Notice<NoticeMail>[] = [];
      for (const find of chainNotices) notices.push(...(await find(view)));
      return compose(tx, notices, turn);
    }, "repeatable read");
  }

  /** Composes the notices that were not sent and are not switched off, each in the language of its account. */
  async function compose(tx: Orm, notices: readonly Notice<NoticeMail>[], turn: Turn): Promise<Composed[]> {
    const sent = await sentAmong(
      tx,
      notices.map(({ key }) => key),
    );
    const open = notices.filter(({ accountId, key }) => !sent.has(`${accountId} ${key}`));
    if (open.length === 0) return [];
    const ids = [...new Set(open.map(({ accountId }) => accountId))];
    const isOn = await preferencesOf(tx, ids);
    const owners = await tx
      .select({ id: account.id, language: account.language })
      .from(account)
      .where(anyOf(account.id, ids));
    const languages = new Map(owners.map(({ id, language }) => [id, language]));
    const composed: Composed[] = [];
    for (const notice of open) {
      const language = languages.get(notice.accountId);
      if (language === undefined || !isOn(notice.accountId, notice.kind)) continue;
      if (composed.length === MAX_TOGETHER) {
        turn.more = true;
        break;
      }
      try {
        composed.push({ ...notice, language, content: await notice.compose(language) });
      } catch (error) {
        // A problem with one account's figures must not delay other accounts.
        log.error({ err: error, kind: notice.kind }, "a notice cannot be composed; composing is retried");
        turn.failed = true;
      }
    }
    return composed;
  }

  /** Sends each notice in its own transaction, which also records that it was sent. */
  async function send(notices: readonly Composed[]): Promise<void> {
    for (const { accountId, kind, key, language, content } of notices) {
      await db.transaction(async (tx) => {
        const [owner] = await tx
          .select({ to: account.email })
          .from(account)
          .where(eq(account.id, accountId))
          .for("share");
        // The account was deleted meanwhile, or another process has sent the notice.
        if (owner === undefined || !(await markSent(tx, { accountId, key, time: now() }))) return;
        if (content === null) return;
        const unsubscribe = isOptional(kind) ? unsubscribeToken(keys, { accountId, kind }) : undefined;
        await mailer.enqueue(tx, { to: owner.to, language, content, unsubscribe });
      });
    }
    if (notices.length > 0) notifyJobs();
  }
}
