import { type ReactNode, Suspense } from "react";
import { createPortal } from "react-dom";
import { useAccountRefresh } from "../features/live/account-refresh.ts";
import { useLiveUpdates } from "../features/live/live-updates.ts";
import { useLastingFocus } from "../ui/use-lasting-focus.ts";
import { useWallet } from "../wallet/store.ts";
import { withTexts } from "./with-texts.ts";

const WalletCheck = withTexts(() => import("./wallet-check.tsx"));
const RecoveryBanner = withTexts(() => import("../features/recovery/banner.tsx"), "recovery", "transact");

const main = () => document.getElementById("main");

/**
 * Updates the displayed data and the focus, and follows the visitor's wallet. It renders only the wallet's dialog and
 * notices.
 */
export default function LiveUpdates() {
  useLastingFocus(main);
  const { address } = useWallet();
  useLiveUpdates(address);
  useAccountRefresh(address);
  return (
    address && (
      <Suspense>
        <WalletCheck address={address} />
        <Notices>
          <RecoveryBanner key={address} wallet={address} />
        </Notices>
      </Suspense>
    )
  );
}

/** Renders notices above the page. */
function Notices({ children }: { children: ReactNode }) {
  const place = document.getElementById("notices");
  return place && createPortal(children, place);
}
