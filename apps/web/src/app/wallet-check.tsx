import { Suspense, useEffect, useEffectEvent } from "react";
import { useLocation } from "react-router";
import { checkAddress } from "../features/wallet-dialog/address-check.ts";
import { dismissOffer, isOfferDismissed } from "../features/wallet-dialog/dismissed.ts";
import { closeWalletDialog, openWalletDialog, useWalletDialogOpen } from "../features/wallet-dialog/open.ts";
import { paths } from "../paths.ts";
import { useWallet } from "../wallet/store.ts";
import { withTexts } from "./with-texts.ts";

const WalletDialog = withTexts(() => import("../features/wallet-dialog/dialog.tsx"), "dialog");

/** Checks whether a connected wallet is linked to an account, and offers the options if it is not. */
export default function WalletCheck({ address }: { address: string }) {
  const { pathname } = useLocation();
  const { status } = useWallet();
  const open = useWalletDialogOpen();

  const offer = useEffectEvent(() => {
    const onAccount = pathname.replace(/\/+$/, "") === paths.account;
    // A wallet that is about to sign in or to be linked needs no offer.
    const signing = status === "unauthenticated";
    if (!onAccount && !signing && !isOfferDismissed(address)) openWalletDialog();
  });
  useEffect(() => {
    const end = checkAddress(address, () => offer());
    return () => {
      end();
      closeWalletDialog();
    };
  }, [address]);

  return (
    open && (
      <Suspense>
        <WalletDialog
          address={address}
          onClose={closeWalletDialog}
          onDismiss={() => {
            dismissOffer(address);
            closeWalletDialog();
          }}
        />
      </Suspense>
    )
  );
}
