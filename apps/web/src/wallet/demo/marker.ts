/** Also what the check of production builds looks for: this text must not be in one. */
export const marker = "aqua-demo-wallet";
