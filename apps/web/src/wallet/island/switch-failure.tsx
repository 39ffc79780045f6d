import { isRefusal } from "@aqua/sdk/chain/wallet-errors";
import { MutationCache } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { createStore, useStore } from "../../create-store.ts";
import { t } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";
import { kitDialogs, usePlaceInKitDialog } from "./kit-dialog.ts";

/** `failed`: the kit's dialog must be opened again. `shown`: the dialog shows the failure. */
const phase = createStore<"none" | "failed" | "shown">("none");

/** Records a network switch that the wallet could not make. A rejection by its owner is not a failure. */
export function watchSwitches(): MutationCache {
  return new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (mutation.options.mutationKey?.[0] === "switchChain" && !isRefusal(error)) {
        console.warn("The wallet did not switch the network", error);
        phase.set("failed");
      }
    },
  });
}

interface Props {
  /** Whether the kit's network dialog is open. */
  open: boolean;
  reopen: () => void;
}

/** Shows in the kit's network dialog, which closes after any answer, that the wallet could not switch. */
export function SwitchFailure({ open, reopen }: Props) {
  const now = useStore(phase);
  const place = usePlaceInKitDialog(kitDialogs.network, now !== "none" && open);
  useEffect(() => {
    if (now !== "failed") return;
    // By then the kit has closed it.
    const timer = setTimeout(() => {
      phase.set("shown");
      reopen();
    });
    return () => clearTimeout(timer);
  }, [now, reopen]);

  const wasOpen = useRef(open);
  useEffect(() => {
    if (wasOpen.current && !open && now === "shown") phase.set("none");
    wasOpen.current = open;
  }, [open, now]);

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
