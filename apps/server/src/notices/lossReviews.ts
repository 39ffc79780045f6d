import { MINUTE_MS } from "@aqua/sdk/durations";
import { type IndexedChain, stampOf } from "../indexer/stamp.ts";
import type { JobHandler } from "../jobs/runner.ts";
import { type ContentOf, defineMail } from "../mail/definition.ts";
import { mailFormat } from "../mail/format.ts";
import { nameOf } from "../portfolio/holdings.ts";
import { type LossReview, lossReviewOf } from "../product/lossReview.ts";
import { currentProducts } from "../product/store.ts";
import { currentTermProducts } from "../product/termStore.ts";
import { chainNameOf } from "./notice.ts";
import { createOperatorJob, type OperatorJobParts } from "./operatorJob.ts";
import { operatorNotice } from "./schema.ts";

/** `id` and `chainId` are the product and the chain as the command `aqua` names them. */
interface LossFacts {
  product: string;
  chain: string;
  id: string;
  chainId: string;
  until: string;
  path: string;
}

/** Mails to operators, in English like the other ones. */
export const lossReviewMails = {
  loss_to_judge: defineMail<LossFacts>({ action: "action.product" }),
  loss_to_settle: defineMail<LossFacts>({ action: "action.product" }),
};
type LossMail = ContentOf<typeof lossReviewMails>;

export type LossJobParts = OperatorJobParts<LossMail>;

export const LOSS_JOB = "notices.loss";

interface Loss extends LossReview {
  chainId: number;
  address: string;
  shortId: string;
  /** The product's name in English. */
  name: string;
  /** Time of the block that was read, Unix milliseconds. */
  time: number;
}

/**
 * Notifies operators once of each loss under review, and once of a time deposit's loss that waits to be settled after
 * its review. A loss that a stolen key reported can be taken back only during the review.
 */
export function createLossJob(parts: LossJobParts): JobHandler {
  const { db, documents, operatorMail, emit, mailer, notifyJobs, now = Date.now } = parts;
  return createOperatorJob(parts, {
    ...{ everyMs: MINUTE_MS, about: "losses" },
    async sendDue(chain) {
      for (const loss of await lossesOn(chain)) await send(loss);
    },
  });

  /** Returns none while the tables are behind the chain, because a loss may have been taken back. */
  function lossesOn(chain: IndexedChain): Promise<Loss[]> {
    return db.transaction(async (tx) => {
      const asOf = await stampOf(tx, chain);
      if (asOf === null || asOf.stale) return [];
      const { chainId } = chain;
      const products = [...(await currentProducts(tx, chainId)), ...(await currentTermProducts(tx, chainId))];
      return products.flatMap((current): Loss[] => {
        const review = lossReviewOf(current, asOf.time / 1_000);
        if (review === null) return [];
        const { address, shortId } = current.product;
        return [{ ...review, chainId, address, shortId, name: nameOf(current, documents, "en-US"), time: asOf.time }];
      });
    }, "repeatable read");
  }

  /** Sends a notice in the transaction that records it. */
  async function send(loss: Loss): Promise<void> {
    const { chainId, address, shortId, stage, until, time } = loss;
    const key = `loss ${stage} ${chainId} ${address} ${until}`;
    const isNew = await db.transaction(async (tx) => {
      const rows = await tx
        .insert(operatorNotice)
        .values({ key, time: now() })
        .onConflictDoNothing()
        .returning({ key: operatorNotice.key });
      if (rows.length === 0) return false;
      for (const to of operatorMail) await mailer.enqueue(tx, { to, language: "en-US", content: mailOf(loss) });
      const data = { chain_id: chainId, short_id: shortId, stage, until: until * 1_000 };
      await emit?.(tx, { type: "loss", time, fact: key, data });
      return true;
    });
    if (isNew) notifyJobs();
  }
}

function mailOf({ chainId, shortId, name, stage, until }: Loss): LossMail {
  return {
    kind: stage === "reviewed" ? "loss_to_judge" : "loss_to_settle",
    ...{ product: name, chain: chainNameOf(chainId), id: shortId, chainId: String(chainId) },
    ...{ until: mailFormat("en-US").dateTime(until * 1_000), path: `/product/${shortId}` },
  };
}
