import type { LegalName } from "@aqua/sdk/api/rules";

/** Every route. Parameters are URL-encoded. */
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
  /** A legal text of the operator on the About page. */
  legal: (name: LegalName) => `/about#${name}`,
  signIn: "/sign-in",
  signUp: "/sign-up",
  forgotPassword: "/forgot-password",
  account: "/account",
  /** The section of the account page that lists its e-mails. */
  emails: "/account#emails",
  /** Lists the mails that a demo would have sent to this address. Exists only in a demo. */
  devOutbox: (to: string) => `/dev/outbox?to=${encodeURIComponent(to)}`,
} as const;

/** Anchors in the devices tab of a product: the devices, and the way from a device to the yield. */
export const anchors = { devices: "devices", walk: "from-device-to-yield" } as const;
