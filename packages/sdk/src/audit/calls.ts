import type { Hex } from "viem";
import { incomeFigures, liquidityFigures, performanceFigures, queueFigures } from "./historyFigures.ts";
import { homeFigures, listFigures, summaryFigures } from "./overviewFigures.ts";
import { detailFigures, productMovements, transactionFigures } from "./productFigures.ts";
import { statementFigures } from "./statementFigures.ts";
import {
  actFigures,
  anchorFigures,
  announcementFigures,
  feedFigures,
  keyFigures,
  recoveryFigures,
  transparencyFigures,
} from "./transparencyFigures.ts";
import type { ProductView, View } from "./view.ts";
import { holdFigures, profitFigures, requestFigures, totalHoldFigures, walletTransactions } from "./walletFigures.ts";

/** The public calls of the API, each with what it must answer. */

export interface Call {
  /** Under /api/v2/, without the parameters of pages. */
  path: string;
  /** True if the answer is a list of pages. All of them together are compared. */
  isPaged: boolean;
  /** What must be answered after the blocks of the views. Undefined if there is no such product then. */
  expected(views: readonly View[], found: unknown): unknown;
}

const one = (path: string, expected: Call["expected"]): Call => ({ path, isPaged: false, expected });
const paged = (path: string, itemsOf: (views: readonly View[]) => readonly unknown[] | undefined): Call => ({
  path,
  isPaged: true,
  expected(views) {
    const items = itemsOf(views);
    return items && { items, total: items.length };
  },
});

/** Calls about all products. */
export const overviewCalls: readonly Call[] = [
  paged("product/list", listFigures),
  one("product/summary", summaryFigures),
  one("product/home", homeFigures),
];

export const transparencyCalls: readonly Call[] = [
  one("transparency/summary", transparencyFigures),
  paged("transparency/acts", actFigures),
  paged("transparency/anchors", anchorFigures),
  one("transparency/devices", (views, found) => ({
    feeds: feedsIn(found).map(({ short_id }) => ({ short_id, ...feedFigures(views, short_id) })),
  })),
  one("transparency/losses", () => ({})),
];

function feedsIn(found: unknown): { short_id: string }[] {
  const { feeds } = (found ?? {}) as { feeds?: { short_id: string }[] };
  return feeds ?? [];
}

/** Calls about one product. */
export function productCalls(shortId: string): Call[] {
  const base = `product/${encodeURIComponent(shortId)}`;
  // If several chains use a short id, the chain that is named first wins.
  const find = (views: readonly View[]) => {
    for (const view of views) {
      const of = view.products.find(({ product }) => product.shortId === shortId);
      if (of) return { view, of };
    }
    return undefined;
  };
  const about = (rest: string, figures: (view: View, of: ProductView, found: unknown) => unknown) =>
    one(base + rest, (views, found) => {
      const { view, of } = find(views) ?? {};
      return view && of && figures(view, of, found);
    });
  const listed = (rest: string, figures: (view: View, of: ProductView) => readonly unknown[]) =>
    paged(base + rest, (views) => {
      const { view, of } = find(views) ?? {};
      return view && of && figures(view, of);
    });
  return [
    about("", detailFigures),
    about("/performance?range=all", performanceFigures),
    about("/liquidity", liquidityFigures),
    listed("/transactions", (_, of) => productMovements(of).map((row) => transactionFigures(row, of.product))),
    listed("/queue", queueFigures),
    about("/income?range=all", incomeFigures),
    about("/announcements", announcementFigures),
    about("/devices", (view, of, found) => devicesIn(found).map(({ name }) => deviceFigures(view, of, name))),
  ];
}

function devicesIn(found: unknown): { name: string }[] {
  return Array.isArray(found) ? found : [];
}

/** A device's key follows from the chain, by the clock of the server. Which devices there are does not. */
function deviceFigures(view: View, { product }: ProductView, name: string) {
  const key = keyFigures(view, name, Math.floor(Date.now() / 1_000));
  return { short_id: product.shortId, withheld: false, chain_id: view.chainId, key };
}

/** Calls about one wallet. */
export function walletCalls(wallet: Hex): Call[] {
  return [
    paged(`account/hold/${wallet}`, (views) => holdFigures(views, wallet)),
    one(`account/totalHoldValue/${wallet}`, (views) => totalHoldFigures(views, wallet)),
    one(`account/totalProfit/${wallet}?range=all`, (views) => profitFigures(views, wallet)),
    paged(`account/transaction/${wallet}`, (views) => walletTransactions(views, wallet)),
    one(`account/requests/${wallet}`, (views) => requestFigures(views, wallet)),
    one(`account/statement/${wallet}?from=0&to=${Number.MAX_SAFE_INTEGER}`, (views) => statementFigures(views, wallet)),
    one(`transparency/recoveries?wallet=${wallet}`, (views) => recoveryFigures(views, wallet)),
  ];
}
