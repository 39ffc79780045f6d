import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";

/**
 * How a figure of this site compares with the chain's. `fits`: it follows from the chain's figures up to rounding.
 * `enough`: the chain has it, or more. `open`: the answer does not contain it.
 */
type Standing = "equal" | "fits" | "enough" | "different" | "open";

/** How both sides of a figure are written: amounts in whole units, times in Unix milliseconds. */
export type Written = "amount" | "shares" | "price" | "rate" | "address" | "time" | "count" | "word";

/** One figure of this site and of the chain; null where a side has none. */
export interface Compared<Name extends string> {
  figure: Name;
  as: Written;
  /** The call that returned the chain's figure, as one would write it. */
  asked: string;
  site: string | null;
  chain: string | null;
  standing: Standing;
}

/** The smallest units of what the site says; null when that is no such figure. */
export function unitsOf(text: string | null, decimals: number): bigint | null {
  try {
    return text === null ? null : parseUnits(text, decimals);
  } catch {
    return null;
  }
}

/** A figure of units, which is the same however many zeros are written after it. */
export function compareUnits<Name extends string>({
  figure,
  as,
  asked,
  site,
  chain,
  decimals,
}: {
  figure: Name;
  as: "amount" | "shares" | "rate";
  asked: string;
  site: string | null;
  chain: bigint;
  decimals: number;
}): Compared<Name> {
  const standing = unitsOf(site, decimals) === chain ? "equal" : "different";
  return { figure, as, asked, site, chain: formatUnits(chain, decimals), standing };
}

/** Anything that is written in one way only; of addresses the case of letters says nothing. */
export function compareText<Name extends string>({
  figure,
  as,
  asked,
  site,
  chain,
}: {
  figure: Name;
  as: Exclude<Written, "amount" | "shares" | "price" | "rate">;
  asked: string;
  site: string | number | null;
  chain: string | number | null;
}): Compared<Name> {
  const told = site === null ? null : String(site);
  const read = chain === null ? null : String(chain);
  const same = told?.toLowerCase() === read?.toLowerCase();
  // The same address is not shown in two writings, which one would compare letter by letter.
  return { figure, as, asked, site: told, chain: same ? told : read, standing: same ? "equal" : "different" };
}
