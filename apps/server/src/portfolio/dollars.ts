/**
 * Lists the assets that count as dollars. Totals are in USD. They sum the products whose asset is in this list, at
 * one unit a dollar; there is no price feed. Products in any other asset are excluded from the totals and shown in
 * their own unit. The symbol is sufficient as a key because only the registry's owner lists products and, with them,
 * their assets.
 */
const dollarSymbols = new Set(["tUSD", "USDC", "USDC.e", "USDT", "DAI", "USDS", "PYUSD"]);

export function isDollar(symbol: string): boolean {
  return dollarSymbols.has(symbol);
}

/**
 * Returns the decimals of a total of these assets: the highest of their decimals, and at least the 6 of the usual
 * dollars.
 */
export function totalDecimals(decimals: readonly number[]): number {
  return Math.max(6, ...decimals);
}
