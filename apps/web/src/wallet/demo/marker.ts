/** The check of production builds searches for this text too: it must not be in one. */
export const marker = "aqua-demo-wallet";
