import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";

/**
 * How a figure of this site compares with the chain's. `fits`: it follows from the chain's figures up to rounding.
 * `enough`: the chain has as much or more. `open`: the answer does not contain it.
 * `unread`: the chain did not return it.
 */
type Standing = "equal" | "fits" | "enough" | "different" | "open" | "unread";

/** The format of a figure's two sides: amounts in whole units, times in Unix milliseconds. */
export type Written = "amount" | "shares" | "price" | "rate" | "address" | "time" | "count" | "word";

/** One figure of this site and of the chain. A side is null if it has no such figure. */
export interface Compared<Name extends string> {
  figure: Name;
  as: Written;
  /** The call that returned the chain's figure, in readable form. */
  query: string;
  site: string | null;
  chain: string | null;
  standing: Standing;
}

/** This site's figure in smallest units. Null if the text is not a number. */
export function unitsOf(text: string | null, decimals: number): bigint | null {
  try {
    return text === null ? null : parseUnits(text, decimals);
  } catch {
    return null;
  }
}

/** Compares amounts by value: trailing zeros do not matter. */
export function compareUnits<Name extends string>({
  figure,
  as,
  query,
  site,
  chain,
  decimals,
}: {
  figure: Name;
  as: "amount" | "shares" | "rate";
  query: string;
  site: string | null;
  chain: bigint;
  decimals: number;
}): Compared<Name> {
  const standing = unitsOf(site, decimals) === chain ? "equal" : "different";
  return { figure, as, query, site, chain: formatUnits(chain, decimals), standing };
}

/** Compares texts, ignoring the letter case of addresses. */
export function compareText<Name extends string>({
  figure,
  as,
  query,
  site,
  chain,
}: {
  figure: Name;
  as: Exclude<Written, "amount" | "shares" | "price" | "rate">;
  query: string;
  site: string | number | null;
  chain: string | number | null;
}): Compared<Name> {
  const siteText = site === null ? null : String(site);
  const chainText = chain === null ? null : String(chain);
  const same = siteText?.toLowerCase() === chainText?.toLowerCase();
  // Shows equal addresses in the same letter case, since a reader would compare them letter by letter.
  return {
    figure,
    as,
    query,
    site: siteText,
    chain: same ? siteText : chainText,
    standing: same ? "equal" : "different",
  };
}
