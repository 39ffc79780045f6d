import { useSearchParams } from "react-router";
import { useWallet } from "../../wallet/store.ts";
import { useAccountInfo } from "../account/info.ts";
import { useLoggedIn } from "../session.ts";
import { readViewed } from "./query.ts";
import { distinctWallets, type Scope } from "./scope.ts";

export type ScopeState =
  | { state: "invalid" | "none" | "restoring" }
  | {
      state: "wallet";
      scope: Scope;
      /** Whether the connected wallet is among the displayed ones. */
      own: boolean;
      /** The visitor's wallets to choose from; empty while another address is viewed, or when there is only one. */
      wallets: readonly `0x${string}`[];
    };

/**
 * Decides whose portfolio to show: the address in the URL, or else the visitor's own wallets. These are the connected
 * wallet and the wallets linked to the account. `wallet` in the URL chooses one of them; `all` sums them.
 */
export function useScope(): ScopeState {
  const [search] = useSearchParams();
  const wallet = useWallet();
  const loggedIn = useLoggedIn();
  const account = useAccountInfo(loggedIn);
  const viewed = readViewed(search);
  if (viewed === "invalid") return { state: "invalid" };
  const connected = wallet.address?.toLowerCase();
  if (viewed)
    return {
      state: "wallet",
      scope: { address: viewed, also: [] },
      own: viewed.toLowerCase() === connected,
      wallets: [],
    };

  const linked = account.data?.wallets.map(({ address }) => address) ?? [];
  const wallets = distinctWallets([wallet.address, ...linked]);
  const [first, ...others] = wallets;
  if (first === undefined) {
    const restoring = wallet.status === "reconnecting" || wallet.status === "connecting";
    return { state: restoring || (loggedIn && account.isPending) ? "restoring" : "none" };
  }
  const choice = search.get("wallet")?.toLowerCase();
  const scope: Scope =
    choice === "all"
      ? { address: first, also: others }
      : { address: wallets.find((address) => address.toLowerCase() === choice) ?? first, also: [] };
  return {
    state: "wallet",
    scope,
    own: [scope.address, ...scope.also].some((address) => address.toLowerCase() === connected),
    wallets: wallets.length > 1 ? wallets : [],
  };
}
