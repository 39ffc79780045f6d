import { previewRedeem } from "@aqua/sdk/maths/shares";
import { getAddress } from "viem";
import { type ChainFacts, type ContentOf, defineMail } from "../mail/definition.ts";
import { mailFormat } from "../mail/format.ts";
import { nameOf } from "../portfolio/holdings.ts";
import { type ChainView, figuresOf, type Notice } from "./notice.ts";
import { claimableOf, newestStarted } from "./store.ts";

interface Withdrawal extends ChainFacts {
  product: string;
  amount: string;
  wallet: string;
  /** What the shares of the request that still wait are worth now. Omitted if none wait. */
  rest?: string;
}
export const withdrawalMails = {
  withdrawal_ready: defineMail<Withdrawal>({ action: "withdrawal_ready.action" }),
};
type WithdrawalNotice = Notice<ContentOf<typeof withdrawalMails>>;

/**
 * Notifies owners whose withdrawal a queue has processed: when the first part of a request can be collected, and when
 * all of it can.
 */
export async function withdrawals(view: ChainView): Promise<WithdrawalNotice[]> {
  const { tx, chain, state, documents } = view;
  const { chainId } = chain;
  const notices: WithdrawalNotice[] = [];
  for (const { accountId, wallet, product, claimable, processed } of await claimableOf(tx, chainId)) {
    const known = state.products.get(product);
    const request = await newestStarted(tx, { chainId, product, wallet, processed });
    if (known?.type !== "demand_deposit" || request === null) continue;
    const { current, pool } = known;
    const waiting = request.start + request.shares - processed;
    const isPart = waiting > 0n;
    notices.push({
      accountId,
      kind: "withdrawals",
      // The start of a request in the queue never changes.
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
          notes: isPart ? ["withdrawal_part", "withdrawal_rest"] : [],
          ...(isPart ? { rest: format.amount(previewRedeem(waiting, pool), asset) } : {}),
          ...figuresOf(view, format),
        };
      },
    });
  }
  return notices;
}
