import { lazy, Suspense } from "react";
import { connectWallet, prefetchWallet, useWaitsForWallet } from "../features/open-wallet.ts";
import { t } from "../i18n/i18n.ts";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useWallet } from "../wallet/store.ts";
import { PartBoundary } from "./error-boundary.tsx";

const WalletMenu = lazy(() => import("./wallet-menu.tsx"));

/** The button Connect Wallet, or the connected wallet with its menu. */
export function WalletArea() {
  const { status, address, chainId } = useWallet();
  // Shows a reaction to the press at once, while the wallet's code loads.
  const waits = useWaitsForWallet();
  if (address)
    return (
      <div data-wallet-area>
        <PartBoundary part="menu">
          <Suspense fallback={<Skeleton className="h-9 w-40" />}>
            <WalletMenu address={address} chainId={chainId} />
          </Suspense>
        </PartBoundary>
      </div>
    );
  return (
    <Button
      data-wallet-area
      data-visitor
      size="small"
      busy={waits || status === "reconnecting"}
      onPointerEnter={prefetchWallet}
      onFocus={prefetchWallet}
      onClick={connectWallet}
      className="h-auto! min-h-9 min-w-0 py-1 whitespace-normal!"
    >
      {t("shell.wallet.connect")}
    </Button>
  );
}
