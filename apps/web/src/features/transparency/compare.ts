import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";

/**
 * How a figure of this site stands to the chain's. `fits`: it follows from what the chain tells up to rounding. `enough`:
 * the chain has it, or more. `open`: what was asked does not tell it.
 */
type Standing = "equal" | "fits" | "enough" | "different" | "open";

/** How both sides of a figure are written: amounts in whole units, times in Unix milliseconds. */
export type Written = "amount" | "shares" | "price" | "rate" | "address" | "time" | "count" | "word";

/** One figure as the site tells it and as the chain gives it; null where a side tells none. */
export interface Compared<Name extends string> {
  figure: Name;
  as: Written;
  /** Whence the chain's figure is, as one would write it. */
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
