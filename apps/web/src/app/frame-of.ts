/**
 * The key of the part that stays mounted during a navigation. The three pages of a product share a frame with the text
 * typed into its panel. Any other page is replaced, and so is its error.
 */
export function frameOf(pathname: string): string {
  return pathname.replace(/^\/(product|liquidity|performance)\//, "/product/");
}
