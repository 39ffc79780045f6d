/**
 * What stays while a visitor moves on: nothing but the page at a pathname, or of a product's three pages the frame they
 * share, with what is typed into its panel. An error on a page must not outlive it.
 */
export function frameOf(pathname: string): string {
  return pathname.replace(/^\/(product|liquidity|performance)\//, "/product/");
}
