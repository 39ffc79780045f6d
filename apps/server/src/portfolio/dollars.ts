/**
 * Which assets are dollars. Totals are in USD and add up the products whose asset is one of these, one unit a dollar; no
 * price feed is involved, and a product in any other asset stays out of the totals and is shown in its own unit.
 * The symbol is enough: only the registry's owner lists products, and with them their assets.
 */
const dollarSymbols = new Set(["tUSD", "USDC", "USDC.e", "USDT", "DAI", "USDS", "PYUSD"]);

export function isDollar(symbol: string): boolean {
  return dollarSymbols.has(symbol);
}

/** Decimals of a total of these assets: enough for each of them, at least the 6 of the usual dollars. */
export function totalDecimals(decimals: readonly number[]): number {
  return Math.max(6, ...decimals);
}
