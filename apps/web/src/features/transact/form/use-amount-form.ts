import { meansAll } from "@aqua/sdk/maths/rounding";
import { formatUnits } from "@aqua/sdk/maths/units";
import { useState } from "react";
import { language, t } from "../../../i18n/i18n.ts";
import type { Orders } from "../../../wallet/chain/operations.ts";
import { exactAmount } from "../../../wallet/exact-amount.ts";
import { perform } from "../../../wallet/lazy/operations.ts";
import type { ActionState } from "../progress/use-action.ts";
import { presentText, readAmount, typed } from "./amount-text.ts";
import { type Drafts, useDraft } from "./use-draft.ts";

interface AmountFormOptions {
  /** Key of the typed text in the panel's drafts. */
  name: string;
  drafts: Drafts;
  product: { short_id: string; asset: { symbol: string; decimals: number } };
  action: ActionState;
  /**
   * The maximum that can be paid, in smallest units; null while unknown. An amount that exceeds it by dust is read as
   * the maximum.
   */
  max?: bigint | null;
}

/** Handles typing, validation and submission of an amount in a product's asset. */
export function useAmountForm({ name, drafts, product, action, max = null }: AmountFormOptions) {
  const [draft, setDraft] = useDraft(drafts, name, typed(""));
  /** An empty field is an error only after an attempt to submit. */
  const [tried, setTried] = useState(false);
  const { symbol, decimals } = product.asset;
  const text = presentText(draft, { decimals, symbol });
  const setText = (next: string) => setDraft(typed(next));
  const read = readAmount(text, { decimals, symbol, language: language() });
  const meant = (value: bigint) => (max !== null && value > max && meansAll(value, max, decimals) ? max : value);

  return {
    text,
    setText,
    /** The typed amount in smallest units; null while the text is not an amount. */
    amount: read.kind === "amount" ? meant(read.value) : null,
    /** An amount with every digit, for a sentence or the field. */
    exact: (value: bigint) => exactAmount(formatUnits(value, decimals), decimals),
    /** The error of the text; `check` returns the error of a valid amount. */
    errorOf(check: (amount: bigint) => string | null): string | null {
      if (read.kind === "empty") return tried ? t("transact.error.empty") : null;
      if (read.kind === "error") return t(`transact.error.${read.code}`, { symbol, decimals });
      return check(meant(read.value));
    },
    /**
     * Sends the orders, if any, and clears the form after they are sent. Resolves with the number of completed orders:
     * all of them if they were sent; if several run one after another, those on chain before one was declined or
     * failed.
     */
    async submit(orders: Orders | null): Promise<number> {
      setTried(true);
      if (orders === null) return 0;
      let completed = 0;
      const sent = await action.start((report) =>
        perform(orders, product.short_id, (stage) => {
          if (stage.stage === "simulating" && stage.part !== undefined) completed = stage.part.index - 1;
          report(stage);
        }),
      );
      if (!sent) return completed;
      setText("");
      setTried(false);
      return orders.length;
    },
  };
}
