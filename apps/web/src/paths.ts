import type { LegalName } from "@aqua/sdk/api/rules";

/** Every route. Parameters are encoded. */
export const paths = {
  home: "/",
  homeAlias: "/home",
  transparency: "/transparency",
  products: "/products",
  product: (shortId: string) => `/product/${encodeURIComponent(shortId)}`,
  liquidity: (shortId: string) => `/liquidity/${encodeURIComponent(shortId)}`,
  performance: (shortId: string) => `/performance/${encodeURIComponent(shortId)}`,
  portfolios: "/portfolios",
  portfolioOf: (address: string) => `/portfolios?address=${encodeURIComponent(address)}`,
  about: "/about",
  /** A text of the operator's, in the page about this site. */
  legal: (name: LegalName) => `/about#${name}`,
  signIn: "/sign-in",
  signUp: "/sign-up",
  forgotPassword: "/forgot-password",
  account: "/account",
  /** The part of the account that lists its e-mails. */
  emails: "/account#emails",
  /** Exists in a demo only: the mails it would have sent to this address. */
  devOutbox: (to: string) => `/dev/outbox?to=${encodeURIComponent(to)}`,
} as const;

/** Anchors in the devices of a product's page: the devices, and the way from a device to the yield. */
export const anchors = { devices: "devices", walk: "from-device-to-yield" } as const;
