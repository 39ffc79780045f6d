import { type ChainFacts, type ContentOf, defineMail } from "../mail/definition.ts";
import { mailFormat } from "../mail/format.ts";
import { nameOf } from "../portfolio/holdings.ts";
import { lossReviewOf } from "../product/lossReview.ts";
import type { CurrentProduct } from "../product/store.ts";
import type { CurrentTermProduct } from "../product/termStore.ts";
import { type ChainView, figuresOf, type Notice } from "./notice.ts";
import { holdersOf } from "./store.ts";

interface OfProduct extends ChainFacts {
  product: string;
}
const ofLoss = { action: "action.product", required: true } as const;

export const lossMails = {
  loss_reviewed: defineMail<OfProduct & { until: string }>(ofLoss),
  term_loss_reviewed: defineMail<OfProduct & { until: string }>(ofLoss),
  winding_down: defineMail<OfProduct>(ofLoss),
};
type LossMail = ContentOf<typeof lossMails>;

/** A loss under review, which may be taken back until `until` (Unix seconds), or a winding down, which is final. */
type Loss = { kind: "loss_reviewed" | "term_loss_reviewed"; until: number } | { kind: "winding_down" };

/** Notifies holders that a loss of their product is under review, and that their product is wound down. */
export async function losses(view: ChainView): Promise<Notice<LossMail>[]> {
  const { tx, chain, state, documents } = view;
  const notices: Notice<LossMail>[] = [];
  for (const { current } of state.products.values()) {
    const loss = lossOf(current, state.time);
    if (loss === null) continue;
    const { product } = current;
    const subject = loss.kind === "winding_down" ? loss.kind : `loss${loss.until}`;
    for (const { accountId } of await holdersOf(tx, product)) {
      notices.push({
        accountId,
        kind: "losses",
        key: `${subject}:${chain.chainId}:${product.address}`,
        compose(language) {
          const format = mailFormat(language);
          const common = {
            path: `/product/${product.shortId}`,
            product: nameOf(current, documents, language),
            ...figuresOf(view, format),
          };
          if (loss.kind === "winding_down") return { kind: loss.kind, ...common };
          return { kind: loss.kind, ...common, until: format.dateTime(loss.until * 1_000) };
        },
      });
    }
  }
  return notices;
}

function lossOf(current: CurrentProduct | CurrentTermProduct, now: number): Loss | null {
  const isDemand = "vault" in current;
  if (!isDemand && current.books.claims > 0n) return { kind: "winding_down" };
  const review = lossReviewOf(current, now);
  if (review?.stage !== "reviewed") return null;
  return { kind: isDemand ? "loss_reviewed" : "term_loss_reviewed", until: review.until };
}
