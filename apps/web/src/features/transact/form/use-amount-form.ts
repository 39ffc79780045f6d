import { formatUnits } from "@aqua/sdk/maths/units";
import { useState } from "react";
import { language, t } from "../../../i18n/i18n.ts";
import type { Orders } from "../../../wallet/chain/perform.ts";
import { exactAmount } from "../../../wallet/exact-amount.ts";
import { perform } from "../../../wallet/lazy/operations.ts";
import type { ActionState } from "../progress/use-action.ts";
import { readAmount } from "./amount-text.ts";
import { type Drafts, useDraft } from "./use-draft.ts";

interface AmountFormOptions {
  /** What the typed text is stored as among the panel's drafts. */
  name: string;
  drafts: Drafts;
  product: { short_id: string; asset: { symbol: string; decimals: number } };
  action: ActionState;
}

/** An amount of a product's asset as it is typed, checked and sent. */
export function useAmountForm({ name, drafts, product, action }: AmountFormOptions) {
  const [text, setText] = useDraft(drafts, name, "");
  /** An empty field is an error only once somebody has tried to send it. */
  const [tried, setTried] = useState(false);
  const { symbol, decimals } = product.asset;
  const read = readAmount(text, { decimals, symbol, language: language() });

  return {
    text,
    setText,
    /** What is typed, in smallest units; null while it is no amount. */
    amount: read.kind === "amount" ? read.value : null,
    /** Every digit of an amount, for a sentence or the field. */
    exact: (value: bigint) => exactAmount(formatUnits(value, decimals), decimals),
    /** What is wrong with the text; `check` says what is wrong with an amount that can be read. */
    errorOf(check: (amount: bigint) => string | null): string | null {
      if (read.kind === "empty") return tried ? t("transact.error.empty") : null;
      if (read.kind === "error") return t(`transact.error.${read.code}`, { symbol, decimals });
      return check(read.value);
    },
    /** Sends the orders, if there are any, and empties the form once they are sent; true then. */
    async submit(orders: Orders | null): Promise<boolean> {
      setTried(true);
      if (orders === null) return false;
      const sent = await action.start((report) => perform(orders, product.short_id, report));
      if (sent) {
        setText("");
        setTried(false);
      }
      return sent;
    },
  };
}
