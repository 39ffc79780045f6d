import type { Product } from "@aqua/sdk/api/product";
import { formatAmount, formatDuration } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { isZero, sumAmounts } from "../decimal.ts";
import { partText } from "../part-text.ts";

/**
 * Sentences about all products together, based on the contracts' state. There is one sentence per currency where a sum
 * would mix currencies.
 */

function bySymbol(products: readonly Product[]): [string, Product[]][] {
  const symbols = [...new Set(products.map(({ asset }) => asset.symbol))];
  return symbols.map((symbol) => [symbol, products.filter(({ asset }) => asset.symbol === symbol)]);
}

/** Says how much of the money is with custodians now. */
export function custodyTexts(products: readonly Product[]): string[] {
  return bySymbol(products).map(([symbol, of]) => {
    const deployed = sumAmounts(of.map(({ conditions }) => conditions.deployed));
    const cash = sumAmounts(of.map(({ conditions }) => conditions.cash));
    if (isZero(deployed)) return t("about.flow.custody.none", { symbol });
    return t("about.flow.custody", {
      deployed: formatAmount(deployed, { digits: 0 }),
      cash: formatAmount(cash, { digits: 0, rounding: "down" }),
      part: partText(deployed, sumAmounts([deployed, cash])),
      symbol,
    });
  });
}

/**
 * Says over how long a gain is added to the price: one duration, or the shortest and the longest. Null without demand
 * deposits.
 */
export function vestingText(products: readonly Product[]): string | null {
  const times = products.flatMap(({ conditions }) => conditions.vesting ?? []);
  if (times.length === 0) return null;
  const [least, most] = [Math.min(...times), Math.max(...times)];
  if (least === most) return t("about.flow.vesting", { time: formatDuration(least) });
  return t("about.flow.vestingBetween", { least: formatDuration(least), most: formatDuration(most) });
}

/** Says which kinds of fees any product charges. */
export function feeTexts(products: readonly Product[]): string[] {
  const charges = products.some(({ conditions: { performance_fee } }) => performance_fee && !isZero(performance_fee));
  const early = products.some(({ conditions }) => conditions.early_withdrawal !== null);
  return [
    t(charges ? "about.fees.performance" : "about.fees.noPerformance"),
    ...(early ? [t("about.fees.early")] : []),
    t("about.fees.network"),
  ];
}

/** Says which of the products with deposits have no money available now. */
export function exitText(products: readonly Product[]): string {
  if (products.some(({ instant_capacity }) => instant_capacity === null)) return t("ui.withheld");
  const funded = products.filter(({ tvl }) => !isZero(tvl));
  const empty = funded.filter(({ instant_capacity }) => isZero(instant_capacity));
  if (empty.length === 0) return t("about.exit.someEverywhere");
  return t("about.exit.none", { products: empty.map(({ name }) => name).join(", ") });
}
