import type { ProductDetail } from "@aqua/sdk/api/product";
import type { ReactNode } from "react";
import { useNow } from "../../../ui/use-now.ts";
import { useWallet } from "../../../wallet/store.ts";
import { useAccountInfo } from "../../account/info.ts";
import { useNetwork } from "../../network.ts";
import { useLoggedIn } from "../../session.ts";
import { useAction } from "../progress/use-action.ts";
import type { Visitor } from "./account-need.ts";
import type { Obstacle } from "./eligibility.ts";
import { ObstacleNotice } from "./obstacle.tsx";

/** The visitor's account and wallet, and a function that reads them again. */
function useVisitor(): { visitor: Visitor; refresh: () => void } {
  const loggedIn = useLoggedIn();
  const account = useAccountInfo(loggedIn);
  const loaded = account.data ?? (account.isError ? "error" : "loading");
  return { visitor: loggedIn ? loaded : null, refresh: () => void account.refetch() };
}

/**
 * The common context of actions on a product: visitor and time, pending transactions, and a notice of the obstacle,
 * which `retry` reads again. `scope` is the name under which sent transactions are stored.
 */
export function useActionContext(product: ProductDetail, scope: string = product.short_id) {
  const wallet = useWallet();
  const { data: network } = useNetwork();
  const now = useNow(10_000);
  const { visitor, refresh } = useVisitor();
  const action = useAction({ scope, shortId: product.short_id, chainId: product.chain_id, address: wallet.address });
  const notice = (obstacle: Obstacle | null, retry: () => void, onConnect?: () => void): ReactNode | null =>
    obstacle && (
      <ObstacleNotice
        obstacle={obstacle}
        product={product}
        address={wallet.address}
        faucet={network?.faucet ?? false}
        onConnect={() => onConnect?.()}
        onRetry={() => retry()}
        onRefresh={() => {
          refresh();
          retry();
        }}
      />
    );
  return { wallet, now, visitor, action, notice };
}
