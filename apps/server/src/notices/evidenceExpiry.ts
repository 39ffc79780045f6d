import { DAY_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { gt } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { type IndexedChain, stampOf } from "../indexer/stamp.ts";
import type { JobHandler } from "../jobs/runner.ts";
import { type ContentOf, defineMail } from "../mail/definition.ts";
import { mailFormat } from "../mail/format.ts";
import { nameOf } from "../portfolio/holdings.ts";
import { type CurrentProduct, currentProducts } from "../product/store.ts";
import { type CurrentTermProduct, currentTermProducts } from "../product/termStore.ts";
import type { EmitWebhook } from "../webhooks/emit.ts";
import { chainNameOf } from "./notice.ts";
import { createOperatorJob, type OperatorJobParts } from "./operatorJob.ts";
import { evidenceNotice } from "./schema.ts";

interface ProductFacts {
  product: string;
  chain: string;
  path: string;
}
interface DocumentFacts extends ProductFacts {
  count: number;
  /** One for each document. */
  lines: readonly { title: string; issuer: string; date: string }[];
}

/** Mails to operators. They go to addresses of the settings, in English, since no account has chosen a language. */
export const evidenceExpiryMails = {
  evidence_due: defineMail<DocumentFacts & { days: number }>({ action: "action.product" }),
  evidence_lapsed: defineMail<DocumentFacts>({ action: "action.product" }),
  evidence_until_due: defineMail<ProductFacts & { until: string; days: number }>({ action: "action.product" }),
  evidence_until_lapsed: defineMail<ProductFacts & { until: string }>({ action: "action.product" }),
};
type EvidenceMail = ContentOf<typeof evidenceExpiryMails>;

export type EvidenceJobParts = OperatorJobParts<EvidenceMail>;

export const EVIDENCE_JOB = "notices.evidence";
const EVERY_MS = 5 * MINUTE_MS;
/** Days before the expiry at which operators are notified, the last notice first. 0: it has expired. */
const STAGES = [0, 1, 7, 30] as const;

/** Evidence of a product that expires, and the newest notice that is due. */
interface Due {
  chainId: number;
  address: string;
  shortId: string;
  /** The product's name in English. */
  name: string;
  /** Null: the time on chain until which the contract takes deposits. `expires` is the last day of the document. */
  document: { title: string; issuer: string; hash: string; expires: string } | null;
  /** The time from which on it is not valid, Unix milliseconds. Of a document the end of its last day in UTC. */
  expiresAt: number;
  days: (typeof STAGES)[number];
}

/**
 * Notifies operators 30, 7 and 1 days before a document of a product's evidence expires, and before the time until which
 * the evidence is valid on chain, and when each has expired. Only the documents and the time count that are on chain now, so
 * renewed ones cause no further notice. If a notice was missed, only the newest is sent.
 */
export function createEvidenceJob(parts: EvidenceJobParts): JobHandler {
  const { db, documents, operatorMail, emit, mailer, notifyJobs, now = Date.now } = parts;
  return createOperatorJob(parts, {
    ...{ everyMs: EVERY_MS, about: "evidence" },
    async sendDue(chain) {
      for (const due of await dueOn(chain)) await send(due);
    },
  });

  /**
   * Returns the due notices of a chain, those that are one mail together. Returns none while the tables are behind the
   * chain, because the evidence may have been renewed.
   */
  function dueOn(chain: IndexedChain): Promise<Due[][]> {
    const time = now();
    return db.transaction(async (tx) => {
      const asOf = await stampOf(tx, chain);
      if (asOf === null || asOf.stale) return [];
      const { chainId } = chain;
      const products = [...(await currentProducts(tx, chainId)), ...(await currentTermProducts(tx, chainId))];
      return products.flatMap((current) => {
        const due = expiriesOf(current).flatMap((one): Due[] => {
          const days = STAGES.find((stage) => one.expiresAt - time <= stage * DAY_MS);
          return days === undefined ? [] : [{ ...one, days }];
        });
        const ofDocuments = due.filter(({ document }) => document !== null);
        const mails = STAGES.map((stage) => ofDocuments.filter(({ days }) => days === stage));
        return [...mails, due.filter(({ document }) => document === null)].filter((some) => some.length > 0);
      });
    }, "repeatable read");
  }

  /** Returns all evidence of a product that expires. */
  function expiriesOf(current: CurrentProduct | CurrentTermProduct): Omit<Due, "days">[] {
    const { product, state } = current;
    const { chainId, address, shortId } = product;
    const of = { chainId, address, shortId, name: nameOf(current, documents, "en-US") };
    const { evidence = [] } = documents.get(state.metadataHash) ?? {};
    const until = "vault" in current ? current.vault.evidenceUntil : current.books.evidenceUntil;
    const isWindingDown = "books" in current && current.books.claims > 0n;
    return [
      ...evidence.flatMap(({ title, issuer, hash, expires }): Omit<Due, "days">[] => {
        if (expires === null) return [];
        return [{ ...of, document: { title, issuer, hash, expires }, expiresAt: Date.parse(expires) + DAY_MS }];
      }),
      // A product without devices has 0. A renewal starts no deposits of a product that is closed or winding down.
      ...(until === 0 || state.status !== 0 || isWindingDown
        ? []
        : [{ ...of, document: null, expiresAt: until * 1_000 }]),
    ];
  }

  /** Sends notices in one mail, in the transaction that records them. */
  async function send(due: readonly Due[]): Promise<void> {
    await db.transaction(async (tx) => {
      const fresh: Due[] = [];
      for (const one of due) if (await markSent(tx, one, now())) fresh.push(one);
      const [first] = fresh;
      if (first === undefined) return;
      const content = mailOf(first, fresh);
      for (const to of operatorMail) await mailer.enqueue(tx, { to, language: "en-US", content });
      for (const one of fresh) await emit?.(tx, eventOf(one));
    });
    notifyJobs();
  }
}

/** Records a notice. Returns true for only one caller, and only if no later notice was sent of the same expiry. */
async function markSent(tx: Orm, due: Due, time: number): Promise<boolean> {
  const { chainId, address, document, expiresAt, days } = due;
  const { hash, expires } = document ?? { hash: "evidence_until", expires: new Date(expiresAt).toISOString() };
  const rows = await tx
    .insert(evidenceNotice)
    .values({ chainId, product: address, hash, expires, days, time })
    .onConflictDoUpdate({
      target: [evidenceNotice.chainId, evidenceNotice.product, evidenceNotice.hash, evidenceNotice.expires],
      set: { days, time },
      setWhere: gt(evidenceNotice.days, days),
    })
    .returning({ hash: evidenceNotice.hash });
  return rows.length > 0;
}

function mailOf({ chainId, shortId, name, document, expiresAt, days }: Due, all: readonly Due[]): EvidenceMail {
  const { date, dateTime } = mailFormat("en-US");
  const facts: ProductFacts = { product: name, chain: chainNameOf(chainId), path: `/product/${shortId}` };
  if (document === null) {
    const until = dateTime(expiresAt);
    if (days === 0) return { kind: "evidence_until_lapsed", ...facts, until };
    return { kind: "evidence_until_due", ...facts, until, days };
  }
  const lines = all.flatMap(({ document: one }) =>
    one === null ? [] : [{ title: one.title, issuer: one.issuer, date: date(Date.parse(one.expires)) }],
  );
  const ofDocuments: DocumentFacts = { ...facts, count: lines.length, lines };
  return days === 0 ? { kind: "evidence_lapsed", ...ofDocuments } : { kind: "evidence_due", ...ofDocuments, days };
}

function eventOf({ chainId, address, shortId, document, expiresAt, days }: Due): Parameters<EmitWebhook>[1] {
  const of = { chain_id: chainId, short_id: shortId, days };
  const time = expiresAt - days * DAY_MS;
  if (document === null) {
    const fact = [chainId, address, expiresAt, days].join(" ");
    return { type: "evidence_until", time, fact, data: { ...of, until: expiresAt } };
  }
  const { title, issuer, hash, expires } = document;
  const fact = [chainId, address, hash, expires, days].join(" ");
  return { type: "evidence", time, fact, data: { ...of, title, issuer, hash, expires_at: expiresAt } };
}
