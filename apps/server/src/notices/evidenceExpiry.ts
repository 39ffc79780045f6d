import { DAY_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { eq, gt, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { product } from "../indexer/schema.ts";
import { type IndexedChain, stampOf } from "../indexer/stamp.ts";
import type { JobHandler } from "../jobs/runner.ts";
import { type ContentOf, defineMail } from "../mail/definition.ts";
import { mailFormat } from "../mail/format.ts";
import { latestListing } from "../product/store.ts";
import type { EmitWebhook } from "../webhooks/emit.ts";
import { chainNameOf } from "./notice.ts";
import { createOperatorJob, type OperatorJobParts } from "./operatorJob.ts";
import { evidenceNotice } from "./schema.ts";

interface ProductFacts {
  product: string;
  chain: string;
  count: number;
  /** One for each document. */
  lines: readonly { title: string; issuer: string; date: string }[];
  path: string;
}

/** Mails to operators. They go to addresses of the settings, in English, since no account has chosen a language. */
export const evidenceExpiryMails = {
  evidence_due: defineMail<ProductFacts & { days: number }>({ action: "action.product" }),
  evidence_lapsed: defineMail<ProductFacts>({ action: "action.product" }),
};
type EvidenceMail = ContentOf<typeof evidenceExpiryMails>;

export type EvidenceJobParts = OperatorJobParts<EvidenceMail>;

export const EVIDENCE_JOB = "notices.evidence";
const EVERY_MS = 5 * MINUTE_MS;
/** Days before the expiry at which operators are notified, the last notice first. 0: the document has expired. */
const STAGES = [0, 1, 7, 30] as const;

/** A document of a product that expires, and the newest notice that is due. */
interface Due {
  chainId: number;
  address: string;
  shortId: string;
  /** The product's name in English. */
  name: string;
  title: string;
  issuer: string;
  hash: string;
  /** The last day on which it is valid, as its product's document writes it. */
  expires: string;
  /** The end of that day in UTC, Unix milliseconds. */
  expiresAt: number;
  days: (typeof STAGES)[number];
}

/**
 * Notifies operators 30, 7 and 1 days before a document of a product's evidence expires, and when it has expired. Only
 * the documents count that the registry commits to now, so a renewed one causes no further notice. If a notice was missed,
 * only the newest is sent.
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
   * Returns the due notices of a chain by product and stage. Returns none while the tables are behind the chain, because
   * the documents may have been renewed.
   */
  function dueOn(chain: IndexedChain): Promise<Due[][]> {
    const time = now();
    return db.transaction(async (tx) => {
      const asOf = await stampOf(tx, chain);
      if (asOf === null || asOf.stale) return [];
      const state = latestListing(tx);
      const listed = await tx
        .select({ address: product.address, shortId: product.shortId, metadataHash: state.metadataHash })
        .from(product)
        .innerJoinLateral(state, sql`true`)
        .where(eq(product.chainId, chain.chainId));
      return listed.flatMap(({ metadataHash, ...of }) => {
        const { name = "", evidence = [] } = documents.get(metadataHash) ?? {};
        const due = evidence.flatMap(({ title, issuer, hash, expires }): Due[] => {
          if (expires === null) return [];
          const expiresAt = Date.parse(expires) + DAY_MS;
          const days = STAGES.find((stage) => expiresAt - time <= stage * DAY_MS);
          const facts = { chainId: chain.chainId, ...of, name, title, issuer, hash, expires, expiresAt };
          return days === undefined ? [] : [{ ...facts, days }];
        });
        return STAGES.map((stage) => due.filter(({ days }) => days === stage)).filter((some) => some.length > 0);
      });
    }, "repeatable read");
  }

  /** Sends the notices of one product and stage in one mail, in the transaction that records them. */
  async function send(due: readonly Due[]): Promise<void> {
    await db.transaction(async (tx) => {
      const fresh: Due[] = [];
      for (const one of due) if (await markSent(tx, one, now())) fresh.push(one);
      const [first] = fresh;
      if (first === undefined) return;
      const content = mailOf(first, fresh);
      for (const to of operatorMail) await mailer.enqueue(tx, { to, language: "en-US", content });
      for (const one of fresh) await emit?.(tx, evidenceEvent(one));
    });
    notifyJobs();
  }
}

/** Records a notice. Returns true for only one caller, and only if no later notice was sent of the same document. */
async function markSent(tx: Orm, due: Due, time: number): Promise<boolean> {
  const { chainId, address, hash, expires, days } = due;
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

function mailOf({ chainId, shortId, name, days }: Due, all: readonly Due[]): EvidenceMail {
  const { date } = mailFormat("en-US");
  const facts: ProductFacts = {
    product: name,
    chain: chainNameOf(chainId),
    count: all.length,
    lines: all.map(({ title, issuer, expires }) => ({ title, issuer, date: date(Date.parse(expires)) })),
    path: `/product/${shortId}`,
  };
  return days === 0 ? { kind: "evidence_lapsed", ...facts } : { kind: "evidence_due", ...facts, days };
}

function evidenceEvent(due: Due): Parameters<EmitWebhook>[1] {
  const { chainId, address, shortId, title, issuer, hash, expires, expiresAt, days } = due;
  return {
    type: "evidence",
    time: expiresAt - days * DAY_MS,
    fact: [chainId, address, hash, expires, days].join(" "),
    data: { chain_id: chainId, short_id: shortId, title, issuer, hash, expires_at: expiresAt, days },
  };
}
