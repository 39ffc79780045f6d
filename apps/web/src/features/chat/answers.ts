import { formatAmount, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";

/** The name used in prompts while no product is known. */
const platform = "Aqua";

/** The sample position: value = deposited + earned, rate = earned / deposited. */
const sample = { deposited: "10000", value: "10350", earned: "350", rate: "0.035" } as const;

const dollars = (amount: string, signed = false) => `${formatAmount(amount, { signed })} USD`;

export interface QuickPrompt {
  text: string;
  answer: string;
}

/**
 * The three quick prompts with their canned answers, in the active language. `product` is a name, null when unknown.
 */
export function quickPrompts(product: string | null): QuickPrompt[] {
  const name = product ?? platform;
  return [
    {
      text: t("chat.prompt.product", { product: name }),
      answer: product === null ? t("chat.answer.platform") : t("chat.answer.product", { product }),
    },
    {
      text: t("chat.prompt.position"),
      answer: t("chat.answer.position", {
        deposited: dollars(sample.deposited),
        value: dollars(sample.value),
        earned: dollars(sample.earned, true),
        rate: formatRate(sample.rate, { signed: true }),
      }),
    },
    { text: t("chat.prompt.mint", { product: name }), answer: t("chat.answer.mint", { product: name }) },
  ];
}

const plain = (text: string) => text.trim().replace(/\s+/g, " ").toLocaleLowerCase();

/** The canned answer to a text. A text that repeats no prompt gets a note that this is a demo. */
export function answerTo(text: string, prompts: QuickPrompt[]): string {
  return prompts.find((prompt) => plain(prompt.text) === plain(text))?.answer ?? t("chat.answer.other");
}
