import { Suspense } from "react";
import { createPortal } from "react-dom";
import { useAccountRefresh } from "../features/live/account-refresh.ts";
import { useLiveUpdates } from "../features/live/live-updates.ts";
import { useLastingFocus } from "../ui/use-lasting-focus.ts";
import { useWallet } from "../wallet/store.ts";
import { withTexts } from "./with-texts.ts";

const WalletCheck = withTexts(() => import("./wallet-check.tsx"));
const RecoveryBanner = withTexts(() => import("../features/recovery/banner.tsx"), "recovery", "transact");

const main = () => document.getElementById("main");

/** Keeps displayed data and the focus current, and follows the visitor's wallet; renders only the wallet's dialog and its notices. */
export default function LiveUpdates() {
  useLastingFocus(main);
  const { address } = useWallet();
  const place = document.getElementById("notices");
  useLiveUpdates(address);
  useAccountRefresh(address);
  return (
    address && (
      <Suspense>
        <WalletCheck address={address} />
        {place && createPortal(<RecoveryBanner key={address} wallet={address} />, place)}
      </Suspense>
    )
  );
}
