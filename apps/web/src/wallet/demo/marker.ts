/** vite.config.ts refuses a production build that holds this text. */
export const marker = "aqua-demo-wallet";
