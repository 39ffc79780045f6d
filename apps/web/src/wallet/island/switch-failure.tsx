import { isRefusal } from "@aqua/sdk/chain/wallet-errors";
import { useMutationState } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { t } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";
import { kitDialogs, usePlaceInKitDialog } from "./kit-dialog.ts";

/**
 * The newest failed network switch since the component was mounted. A rejection by the wallet's owner is not a failure.
 */
function useFailedSwitch() {
  const [mountedAt] = useState(Date.now);
  const failed = useMutationState({
    filters: {
      mutationKey: ["switchChain"],
      status: "error",
      predicate: ({ state }) => state.submittedAt >= mountedAt && !isRefusal(state.error),
    },
    select: ({ state }) => state,
  });
  return failed.at(-1);
}

interface Props {
  /** True while the kit's network dialog is open. */
  open: boolean;
  reopen: () => void;
}

/**
 * Reports in the kit's network dialog that the wallet could not switch. The kit closes its dialog after any answer, so
 * it is reopened.
 */
export function SwitchFailure({ open, reopen }: Props) {
  const failed = useFailedSwitch();
  const [shown, setShown] = useState(false);
  const place = usePlaceInKitDialog(kitDialogs.network, shown && open);
  useEffect(() => {
    if (failed === undefined) return;
    console.warn("The wallet did not switch the network", failed.error);
    // Runs after the kit has closed its dialog.
    const timer = setTimeout(() => {
      setShown(true);
      reopen();
    });
    return () => clearTimeout(timer);
  }, [failed, reopen]);

  const wasOpen = useRef(open);
  useEffect(() => {
    if (wasOpen.current && !open) setShown(false);
    wasOpen.current = open;
  }, [open]);

  return (
    place !== null &&
    createPortal(
      <Notice look="error" live="alert" className="m-4">
        {t("wallet.switchUnsupported")}
      </Notice>,
      place,
    )
  );
}
