import { DAY } from "@aqua/sdk/durations";
import type { Orm } from "../db/database.ts";
import { mailFormat } from "../mail/format.ts";
import { nameOf } from "../portfolio/holdings.ts";
import { type ChainView, figuresOf, type Notice } from "./notice.ts";
import { expiringIdentities, holdersOf } from "./store.ts";

/** Days before an end at which its notices go out, the last first. */
const STAGES = [7, 30] as const;
const FIRST = 30 * DAY;

/** The notice that is due so many seconds before an end; null before the first and after the end. */
function stageOf(left: number): (typeof STAGES)[number] | null {
  return left <= 0 ? null : (STAGES.find((days) => left <= days * DAY) ?? null);
}

/** To verified accounts 30 and 7 days before their verification ends. @param now Unix milliseconds */
export async function identityNotices(orm: Orm, now: number): Promise<Notice[]> {
  const ending = await expiringIdentities(orm, { from: now, to: now + FIRST * 1_000 });
  return ending.flatMap(({ accountId, until }): Notice[] => {
    const days = stageOf((until - now) / 1_000);
    if (days === null) return [];
    return [
      {
        accountId,
        kind: "verification",
        key: `verification${days}:${until}`,
        compose: (language) => ({
          kind: "identity_expires",
          path: "/account",
          date: mailFormat(language).date(until),
        }),
      },
    ];
  });
}

/** To holders 30 and 7 days before a product's supporting documents expire. */
export async function evidenceNotices(view: ChainView): Promise<Notice[]> {
  const { tx, chain, state, documents } = view;
  const notices: Notice[] = [];
  for (const { current } of state.products.values()) {
    const until = "vault" in current ? current.vault.evidenceUntil : current.books.evidenceUntil;
    const days = until === 0 ? null : stageOf(until - state.time);
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
            ...figuresOf(view, format),
          };
        },
      });
    }
  }
  return notices;
}
