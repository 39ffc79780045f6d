import { DAY } from "@aqua/sdk/durations";
import { formatUnits } from "@aqua/sdk/maths/units";
import { getAddress } from "viem";
import type { Receipt } from "../indexer/world.ts";
import type { MailNote } from "../mail/content.ts";
import { mailFormat } from "../mail/format.ts";
import type { TimeState } from "../portfolio/chainState.ts";
import { nameOf } from "../portfolio/holdings.ts";
import { type ChainView, figuresOf, type Notice } from "./notice.ts";
import { claimableOf, maturingReceipts, newestStarted } from "./store.ts";

/** To those whose withdrawal a queue has processed: when the first part of a request can be collected, and all of it. */
export async function withdrawalNotices(view: ChainView): Promise<Notice[]> {
  const { tx, chain, state, documents } = view;
  const { chainId } = chain;
  const notices: Notice[] = [];
  for (const { accountId, wallet, product, claimable, processed } of await claimableOf(tx, chainId)) {
    const known = state.products.get(product);
    const request = await newestStarted(tx, { chainId, product, wallet, processed });
    if (known === undefined || request === null) continue;
    const { current } = known;
    const isPart = processed < request.start + request.shares;
    notices.push({
      accountId,
      kind: "withdrawals",
      // Where a request begins in the queue never changes.
      key: `withdrawal:${chainId}:${product}:${request.start}:${isPart ? "part" : "all"}`,
      compose(language) {
        const format = mailFormat(language);
        const asset = { symbol: current.product.assetSymbol, decimals: current.product.assetDecimals };
        return {
          kind: "withdrawal_ready",
          path: "/portfolios",
          product: nameOf(current, documents, language),
          amount: format.amount(claimable, asset),
          wallet: getAddress(wallet),
          notes: isPart ? ["withdrawal_part"] : [],
          ...figuresOf(view, format),
        };
      },
    });
  }
  return notices;
}

const rollNotes: readonly MailNote[] = ["roll_none", "roll_principal", "roll_all"];
/** How long after its maturity the day's notice still goes out, where the server was away. */
const LATE = 3 * DAY;

/** To owners of receipts: seven days before maturity, and on its day by UTC. */
export async function maturityNotices(view: ChainView): Promise<Notice[]> {
  const { tx, chain, state } = view;
  const now = state.time;
  const due = await maturingReceipts(tx, { chain: chain.chainId, from: now - LATE, to: now + 7 * DAY });
  return due.flatMap(({ accountId, receipt }): Notice[] => {
    const known = state.products.get(receipt.product);
    // In a winding down maturities no longer apply.
    if (known?.type !== "time_deposit" || known.current.books.claims > 0n) return [];
    const dayStart = receipt.maturity - (receipt.maturity % DAY);
    const isDay = now >= dayStart;
    // A term shorter than the notice needs none.
    if (receipt.openedAt >= (isDay ? dayStart : receipt.maturity - 7 * DAY)) return [];
    const stage = isDay ? "matures" : "matures7";
    const key = `${stage}:${chain.chainId}:${receipt.product}:${receipt.receiptId}`;
    return [
      {
        accountId,
        kind: "maturities",
        key,
        compose: (language) => maturity({ view, receipt, isDay, known }, language),
      },
    ];
  });
}

function maturity(
  { view, receipt, isDay, known }: { view: ChainView; receipt: Receipt; isDay: boolean; known: TimeState },
  language: Parameters<Notice["compose"]>[0],
) {
  const format = mailFormat(language);
  const { product } = known.current;
  const asset = { symbol: product.assetSymbol, decimals: product.assetDecimals };
  const note = rollNotes[receipt.roll];
  return {
    kind: isDay ? "deposit_maturity_day" : "deposit_matures",
    path: "/portfolios",
    product: nameOf(known.current, view.documents, language),
    receipt: formatUnits(receipt.receiptId, 0),
    wallet: getAddress(receipt.owner),
    date: format.date(receipt.maturity * 1_000),
    maturity: format.dateTime(receipt.maturity * 1_000),
    principal: format.amount(receipt.principal, asset),
    interest: format.amount(receipt.interest, asset),
    notes: note === undefined ? [] : [note],
    ...figuresOf(view, format),
  } as const;
}
