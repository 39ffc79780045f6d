import { useEffect, useState } from "react";

/** The kit's dialogs by the ids of their titles. */
export const kitDialogs = { connect: "rk_connect_title", network: "rk_chain_modal_title" } as const;

/** The visible sheet of an open dialog of the kit, null while it is closed. */
function sheetOf(titleId: string): HTMLElement | null {
  return document.querySelector(`[data-rk] [role=dialog][aria-labelledby=${titleId}] [role=document] > div > div`);
}

/** Presses the kit's own close button, which also cancels a connection under way. */
export function closeKitDialog(titleId: string) {
  sheetOf(titleId)?.querySelector<HTMLElement>("button[aria-label=Close]")?.click();
}

/**
 * A place of ours at the end of an open dialog of the kit, for what the kit does not say; null while the dialog is closed
 * or nothing is wanted there. It lives in the kit's dialog, so there is one dialog and one order of focus.
 */
export function usePlaceInKitDialog(titleId: string, wanted: boolean): HTMLElement | null {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!wanted) return;
    const own = document.createElement("div");
    const put = () => {
      const sheet = sheetOf(titleId);
      if (sheet === null) own.remove();
      else if (own.parentElement !== sheet) sheet.append(own);
      setPlace(sheet === null ? null : own);
    };
    put();
    // The dialog comes and goes with a portal on the body.
    const observer = new MutationObserver(put);
    observer.observe(document.body, { childList: true });
    return () => {
      observer.disconnect();
      own.remove();
      setPlace(null);
    };
  }, [titleId, wanted]);
  return place;
}
