import type { lossStage } from "@aqua/sdk/api/transparency";
import { and, desc, eq } from "drizzle-orm";
import type { z } from "zod";
import type { Orm } from "../db/database.ts";
import { report } from "../indexer/schema.ts";
import type { CurrentProduct } from "./store.ts";
import type { CurrentTermProduct } from "./termStore.ts";

/** A loss that the confirmer may take back until `until` (Unix seconds), or that waits to be settled since then. */
export interface LossReview {
  stage: z.infer<typeof lossStage>;
  until: number;
}

/** Returns the loss that is under review or waits to be settled at `now` (Unix seconds), or null. */
export function lossReviewOf(current: CurrentProduct | CurrentTermProduct, now: number): LossReview | null {
  if ("vault" in current) {
    const { reviewUntil } = current.vault;
    // A demand deposit keeps the end of its last review, and its loss needs no settling.
    return reviewUntil > now ? { stage: "reviewed", until: reviewUntil } : null;
  }
  const { reviewed } = current;
  return reviewed && { stage: reviewed.until > now ? "reviewed" : "unsettled", until: reviewed.until };
}

export interface ReviewedLoss extends LossReview {
  /** In smallest units. Null if no row states it. */
  amount: bigint | null;
}

/** Reads what `lossReviewOf` returns, with its amount. */
export async function reviewedLossOf(
  tx: Orm,
  current: CurrentProduct | CurrentTermProduct,
  now: number,
): Promise<ReviewedLoss | null> {
  const review = lossReviewOf(current, now);
  return review && { ...review, amount: await amountOf(tx, current) };
}

async function amountOf(tx: Orm, current: CurrentProduct | CurrentTermProduct): Promise<bigint | null> {
  if (!("vault" in current)) return current.reviewed?.amount ?? null;
  const { chainId, address } = current.product;
  // The contract accepts no report during a review, so the newest one is the loss.
  const [newest] = await tx
    .select({ delta: report.delta })
    .from(report)
    .where(and(eq(report.chainId, chainId), eq(report.product, address)))
    .orderBy(desc(report.block), desc(report.logIndex))
    .limit(1);
  return newest ? -newest.delta : null;
}
