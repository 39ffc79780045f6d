import { type ChainFacts, type ContentOf, defineMail } from "../mail/definition.ts";
import { mailFormat } from "../mail/format.ts";
import { nameOf } from "../portfolio/holdings.ts";
import { type ChainView, expiryStage, figuresOf, type Notice } from "./notice.ts";
import { holdersOf } from "./store.ts";

export const evidenceMails = {
  evidence_expires: defineMail<ChainFacts & { product: string; date: string }>({ action: "action.product" }),
};
type EvidenceNotice = Notice<ContentOf<typeof evidenceMails>>;

/** Notifies holders 30 and 7 days before a product's supporting documents expire. */
export async function evidence(view: ChainView): Promise<EvidenceNotice[]> {
  const { tx, chain, state, documents } = view;
  const notices: EvidenceNotice[] = [];
  for (const { current } of state.products.values()) {
    const until = "vault" in current ? current.vault.evidenceUntil : current.books.evidenceUntil;
    const days = until === 0 ? null : expiryStage(until - state.time);
    if (days === null) continue;
    const { product } = current;
    for (const { accountId } of await holdersOf(tx, product)) {
      notices.push({
        accountId,
        kind: "evidence",
        key: `evidence${days}:${chain.chainId}:${product.address}:${until}`,
        compose(language) {
          const format = mailFormat(language);
          return {
            kind: "evidence_expires",
            path: `/product/${product.shortId}`,
            product: nameOf(current, documents, language),
            date: format.date(until * 1_000),
            notes: "books" in current ? ["evidence_rolls"] : [],
            ...figuresOf(view, format),
          };
        },
      });
    }
  }
  return notices;
}
