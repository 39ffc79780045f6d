import { Suspense } from "react";
import { useAccountRefresh } from "../features/account-refresh.ts";
import { useLiveUpdates } from "../features/live-updates.ts";
import { useWallet } from "../wallet/store.ts";
import { optional } from "./optional.ts";

const WalletCheck = optional(() => import("./wallet-check.tsx"));

/** Keeps what is shown fresh, and follows the visitor's wallet; draws nothing but the wallet's dialog. */
export default function LiveUpdates() {
  const { address } = useWallet();
  useLiveUpdates(address);
  useAccountRefresh(address);
  return (
    address && (
      <Suspense>
        <WalletCheck address={address} />
      </Suspense>
    )
  );
}
