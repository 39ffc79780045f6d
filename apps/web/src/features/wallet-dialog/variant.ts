import type { AccountInfo } from "@aqua/sdk/api/auth";

/** The options of the wallet dialog. Null if the connected wallet is already the account's. */
export type Variant =
  | { kind: "visitor" }
  | { kind: "verify" }
  | { kind: "link"; email: string }
  | { kind: "switch"; email: string; linked: string };

/** Selects the options for `address`, the connected wallet. `account` is null for a visitor. */
export function variantFor(account: AccountInfo | null, address: string): Variant | null {
  if (account === null) return { kind: "visitor" };
  const linked = account.wallets.find((wallet) => wallet.current);
  if (linked?.address.toLowerCase() === address.toLowerCase()) return null;
  if (account.identity_status !== "verified") return { kind: "verify" };
  return linked
    ? { kind: "switch", email: account.email, linked: linked.address }
    : { kind: "link", email: account.email };
}

/** Maximum length of a displayed e-mail, in code points. */
const maxEmailLength = 20;

/** The first 20 characters of an e-mail, followed by an ellipsis if it is longer. */
export function truncateEmail(email: string): string {
  const points = [...email];
  return points.length > maxEmailLength ? `${points.slice(0, maxEmailLength).join("")}…` : email;
}
