import type { AccountInfo } from "@aqua/sdk/api/auth";

/** What the wallet dialog offers; `null`: the connected wallet is the account's, so there is nothing to offer. */
export type Variant =
  | { kind: "visitor" }
  | { kind: "verify" }
  | { kind: "link"; email: string }
  | { kind: "switch"; email: string; linked: string };

/** For `address`, the connected wallet; `account` is null for a visitor. */
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
const shown = 20;

/** The first 20 characters of an e-mail, and an ellipsis where there are more. */
export function truncateEmail(email: string): string {
  const points = [...email];
  return points.length > shown ? `${points.slice(0, shown).join("")}…` : email;
}
