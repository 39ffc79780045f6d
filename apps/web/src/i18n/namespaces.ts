/** The parts of a catalog, each a file a language. The first two are loaded before anything is shown. */
export const namespaces = [
  "ui",
  "shell",
  "about",
  "account",
  "chat",
  "dialog",
  "footer",
  "forms",
  "home",
  "liquidity",
  "menu",
  "outbox",
  "performance",
  "portfolio",
  "products",
  "profile",
  "register",
  "transact",
  "transparency",
  "wallet",
] as const;
export type Namespace = (typeof namespaces)[number];
