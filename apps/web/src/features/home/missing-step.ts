import type { AccountInfo } from "@aqua/sdk/api/auth";
import type { MessageKey } from "../../i18n/keys.ts";
import { paths } from "../../paths.ts";

interface Step {
  to: string;
  label: MessageKey;
}

/**
 * The step that account and wallet still need before a first deposit. Null if nothing is missing or the answer is not
 * yet known. `account` is null for a visitor without an account; `isLinked` says whether the connected wallet is linked
 * to an account.
 */
export function missingStep(
  account: AccountInfo | null | undefined,
  address: string | null,
  isLinked: boolean,
): Step | null {
  if (account === undefined) return null;
  if (account === null) return address === null || isLinked ? null : { to: paths.signIn, label: "shell.logIn" };
  if (account.identity_status === "pending") return { to: paths.account, label: "home.cta.checking" };
  if (account.identity_status !== "verified") return { to: paths.account, label: "home.cta.verify" };
  const current = account.wallets.find((wallet) => wallet.current)?.address.toLowerCase();
  return address === null || current === address.toLowerCase() ? null : { to: paths.account, label: "home.cta.link" };
}
