import type { ProductDetail } from "@aqua/sdk/api/product";
import { lazy, Suspense } from "react";
import { useAccountInfo } from "../../features/account/info.ts";
import { distinctWallets } from "../../features/portfolio/scope.ts";
import { useLoggedIn } from "../../features/session.ts";
import { loadTexts } from "../../i18n/i18n.ts";
import { useWallet } from "../../wallet/store.ts";

const AnnouncementList = lazy(() =>
  Promise.all([import("../../features/products/announcement-list.tsx"), loadTexts("announcements")]).then(
    ([module]) => ({ default: module.AnnouncementList }),
  ),
);

/**
 * Announced changes of a product for a visitor with a wallet, beside the exit of all of the visitor's wallets together:
 * a former wallet still has its shares.
 */
export function Announced({ product }: { product: ProductDetail }) {
  const { address } = useWallet();
  const loggedIn = useLoggedIn();
  const account = useAccountInfo(loggedIn);
  const wallets = distinctWallets([address, ...(account.data?.wallets.map((wallet) => wallet.address) ?? [])]);
  // Neither fee nor custodian of a time deposit changes.
  if (product.type !== "demand_deposit" || wallets.length === 0 || (loggedIn && account.isPending)) return null;
  return (
    <Suspense>
      <AnnouncementList shortId={product.short_id} wallets={wallets} />
    </Suspense>
  );
}
