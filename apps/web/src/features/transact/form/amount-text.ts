import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { language } from "../../../i18n/i18n.ts";
import { exactAmount } from "../../../wallet/exact-amount.ts";

export type AmountText =
  | { kind: "empty" }
  | { kind: "amount"; value: bigint }
  | { kind: "error"; code: "notANumber" | "tooManyDecimals" | "tooLarge" | "zero" };

/** The vault stores amounts in 128 bits. */
const maxAmount = 2n ** 128n - 1n;
/** Thousands separators besides points and commas; Intl uses two kinds of narrow spaces. */
const separators = /[\s\u00a0\u202f\u2009'’_]/g;

/** The language's decimal separator. */
function decimalSign(language: string): "." | "," {
  const part = new Intl.NumberFormat(language).formatToParts(1.5).find((item) => item.type === "decimal");
  return part?.value === "," ? "," : ".";
}

/** True for "1,000" and false for "10,00". A grouped number has one to three digits and then groups of three. */
function isGrouped(whole: string, group: string): boolean {
  const [first = "", ...others] = whole.split(group);
  return /^\d{1,3}$/.test(first) && others.every((digits) => /^\d{3}$/.test(digits));
}

/** The plain form "1000.5" of a text with any of the usual separators; null when the text is not a number. */
function normalise(text: string, language: string): string | null {
  // East Asian keyboards also write digits and signs at full width.
  const compact = text.normalize("NFKC").replaceAll("。", ".").replace(separators, "");
  if (!/^[\d.,]+$/.test(compact) || !/\d/.test(compact)) return null;
  const points = compact.split(".").length - 1;
  const commas = compact.split(",").length - 1;
  let decimal: "." | "," | null = null;
  if (points > 0 && commas > 0) decimal = compact.lastIndexOf(".") > compact.lastIndexOf(",") ? "." : ",";
  else if (points === 1) decimal = ".";
  else if (commas === 1) {
    // "1,000" is a thousand in a language that groups with commas. "1,5" cannot be grouped, so it is one and a half.
    decimal = decimalSign(language) === "," || !isGrouped(compact, ",") ? "," : null;
  }
  const wholeEnd = decimal === null ? compact.length : compact.lastIndexOf(decimal);
  const whole = compact.slice(0, wholeEnd);
  const fraction = compact.slice(wholeEnd + 1);
  const group = decimal === "," || (decimal === null && points > 0) ? "." : ",";
  if (/[.,]/.test(fraction)) return null;
  if (whole.includes(group) && !isGrouped(whole, group)) return null;
  if (decimal !== null && whole.includes(decimal)) return null;
  return `${whole.replaceAll(group, "") || "0"}${fraction === "" ? "" : `.${fraction}`}`;
}

/**
 * Parses a typed or pasted amount: "1,000.5", "1 000,5", "1'000.50", "1000 tUSD". Never rounds: more digits than the
 * asset has are an error. `symbol` may follow at the end.
 */
export function readAmount(text: string, options: { decimals: number; symbol: string; language: string }): AmountText {
  const trimmed = text.trim();
  const withoutSymbol = trimmed.toLowerCase().endsWith(options.symbol.toLowerCase())
    ? trimmed.slice(0, trimmed.length - options.symbol.length).trim()
    : trimmed;
  if (withoutSymbol === "") return { kind: "empty" };
  const plain = normalise(withoutSymbol, options.language);
  if (plain === null) return { kind: "error", code: "notANumber" };
  let value: bigint;
  try {
    value = parseUnits(plain, options.decimals);
  } catch {
    return { kind: "error", code: "tooManyDecimals" };
  }
  if (value > maxAmount) return { kind: "error", code: "tooLarge" };
  return value === 0n ? { kind: "error", code: "zero" } : { kind: "amount", value };
}

/** The typed text with the language it was typed in, since "1,234" is a different number in another language. */
export interface Typed {
  text: string;
  language: string;
}

export const typed = (text: string): Typed => ({ text, language: language() });

/** The typed text. After a change of language, the same amount in the format of the new language. */
export function presentText({ text, language: former }: Typed, options: { decimals: number; symbol: string }): string {
  if (former === language()) return text;
  const read = readAmount(text, { ...options, language: former });
  return read.kind === "amount" ? exactAmount(formatUnits(read.value, options.decimals), options.decimals) : text;
}
