import type { ProductDetail } from "@aqua/sdk/api/product";
import { lazy, Suspense } from "react";
import { loadTexts } from "../../i18n/i18n.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useWallet } from "../../wallet/store.ts";
import { useAccountInfo } from "../account/info.ts";
import { distinctWallets } from "../portfolio/scope.ts";
import { useAnnouncements } from "../products/announcements.ts";
import { useLoggedIn } from "../session.ts";

const AnnouncementList = lazy(() =>
  Promise.all([import("../products/announcement-list.tsx"), loadTexts("announcements")]).then(([module]) => ({
    default: module.AnnouncementList,
  })),
);

/**
 * Announced changes of a product, for a visitor with a wallet beside the exit of all of the visitor's wallets together: a
 * former wallet still has its shares. Says so where they could not be loaded.
 */
export function Announced({ product }: { product: ProductDetail }) {
  const { address } = useWallet();
  const loggedIn = useLoggedIn();
  const account = useAccountInfo(loggedIn);
  const ofAccount = account.data?.wallets.map((wallet) => wallet.address) ?? [];
  // An exit of some wallets alone may be sooner than that of all: without the account's, no exit is named.
  const wallets = loggedIn && !account.data ? [] : distinctWallets([address, ...ofAccount]);
  // Neither fee nor custodian of a time deposit changes.
  const enabled = product.type === "demand_deposit" && !(loggedIn && account.isPending);
  const answer = useAnnouncements(product.short_id, wallets, enabled);
  const { data, isError } = answer;
  if (data === undefined ? !isError : data.changes.length === 0) return null;
  return (
    <Suspense fallback={<Skeleton className="h-18 rounded-12" />}>
      <AnnouncementList answer={answer} />
    </Suspense>
  );
}
