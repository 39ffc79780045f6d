import { isRefusal } from "@aqua/sdk/chain/wallet-errors";
import { useMutationState } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { t } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";
import { kitDialogs, usePlaceInKitDialog } from "./kit-dialog.ts";

/**
 * The kit's newest network switch, since this was mounted, that the wallet could not make. A rejection by its owner is
 * not a failure.
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
  /** Whether the kit's network dialog is open. */
  open: boolean;
  reopen: () => void;
}

/** Shows in the kit's network dialog, which closes after any answer, that the wallet could not switch. */
export function SwitchFailure({ open, reopen }: Props) {
  const failed = useFailedSwitch();
  const [shown, setShown] = useState(false);
  const place = usePlaceInKitDialog(kitDialogs.network, shown && open);
  useEffect(() => {
    if (failed === undefined) return;
    console.warn("The wallet did not switch the network", failed.error);
    // By then the kit has closed it.
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
