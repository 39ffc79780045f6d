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
 * Shows announced changes of a product. A visitor with a wallet also sees the exit time of all the visitor's wallets
 * together, since a former wallet may still hold shares. Shows an error if the changes could not be loaded.
 */
export function Announced({ product }: { product: ProductDetail }) {
  const { address } = useWallet();
  const loggedIn = useLoggedIn();
  const account = useAccountInfo(loggedIn);
  const ofAccount = account.data?.wallets.map((wallet) => wallet.address) ?? [];
  // Some of the wallets may exit sooner than all of them together. Until the account's wallets are known, no exit time
  // is shown.
  const wallets = loggedIn && !account.data ? [] : distinctWallets([address, ...ofAccount]);
  // The fee and the custodian of a time deposit never change.
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
