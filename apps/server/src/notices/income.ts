import { parseUnits } from "@aqua/sdk/maths/units";
import { type ChainFacts, type ContentOf, defineMail } from "../mail/definition.ts";
import { mailFormat } from "../mail/format.ts";
import { statementOf } from "../portfolio/statement.ts";
import { addressesOf } from "../records/store.ts";
import { type ChainView, figuresOf, type Notice } from "./notice.ts";
import { accountsWith } from "./preferences.ts";

interface Income extends ChainFacts {
  month: string;
  lines: readonly { product: string; earned: string; value: string }[];
}

export const incomeMails = {
  income_digest: defineMail<Income>({ action: "action.portfolio" }),
};

/** The digest of a month is sent within this many days of the next month. */
const SENT_WITHIN = 7;

/**
 * Sends accounts that asked for it the earnings of their deposits on a chain in the last complete calendar month (UTC).
 */
export async function income(view: ChainView): Promise<Notice<ContentOf<typeof incomeMails>>[]> {
  const { tx, chain, asOf, states, documents } = view;
  const now = new Date(asOf.time);
  if (now.getUTCDate() > SENT_WITHIN) return [];
  const to = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const from = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1);
  const month = new Date(from).toISOString().slice(0, "2027-02".length);
  return (await accountsWith(tx, "income")).map((accountId) => ({
    accountId,
    kind: "income",
    key: `income:${chain.chainId}:${month}`,
    async compose(language) {
      const wallets = await addressesOf(tx, accountId);
      if (wallets.length === 0) return null;
      const filter = { from, to, lang: language };
      const { products } = await statementOf(tx, { states, chains: [chain], wallets, filter, documents });
      const format = mailFormat(language);
      const lines = products.flatMap(({ name, symbol, decimals, earned, closing }) => {
        const [income, value] = [parseUnits(earned, decimals), parseUnits(closing.value, decimals)];
        if (income === 0n && value === 0n) return [];
        const amount = (units: bigint) => format.amount(units, { symbol, decimals });
        return [{ product: name, earned: amount(income), value: amount(value) }];
      });
      if (lines.length === 0) return null;
      const figures = figuresOf(view, format);
      return { kind: "income_digest", path: "/portfolios", month: format.month(from), lines, ...figures };
    },
  }));
}
