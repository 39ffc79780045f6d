import type { AccountInfo, BindingReason } from "@aqua/sdk/api/auth";

/** The requirements that a wallet without a verified record has not met; the next step comes first. */
export type AccountNeed =
  /** Nobody is logged in. */
  | { code: "visitor" }
  | { code: "loading" }
  | { code: "unavailable" }
  /** The identity check is missing, failed or expired. The operator writes `reason`. */
  | { code: "verify"; status: "unverified" | "rejected" | "expired"; reason: string | null }
  | { code: "checking" }
  /** The account has no wallet yet, or has a different wallet. */
  | { code: "link" }
  | { code: "switch" }
  /** The record is being written to the chain. */
  | { code: "recording" }
  /** The stored signature was already used on this chain. */
  | { code: "signAgain" }
  | { code: "recordFailed"; reason: BindingReason | null };

/** The logged-in account: null for a visitor; "loading" and "error" while it cannot be read. */
export type Visitor = AccountInfo | "loading" | "error" | null;

/** The next step until `address` is verified on chain `chainId`. */
export function accountNeed(visitor: Visitor, address: string, chainId: number): AccountNeed {
  if (visitor === null) return { code: "visitor" };
  if (visitor === "loading") return { code: "loading" };
  if (visitor === "error") return { code: "unavailable" };
  const { identity_status: status } = visitor;
  if (status === "pending") return { code: "checking" };
  if (status !== "verified") return { code: "verify", status, reason: visitor.identity_reason ?? null };
  const current = visitor.wallets.find((wallet) => wallet.current);
  if (!current) return { code: "link" };
  if (current.address.toLowerCase() !== address.toLowerCase()) return { code: "switch" };
  const binding = current.bindings.find(({ chain_id }) => chain_id === chainId);
  if (binding?.reason === "signature_used") return { code: "signAgain" };
  if (binding?.state === "failed") return { code: "recordFailed", reason: binding.reason };
  return { code: "recording" };
}
