import { useEffect, useState } from "react";

/** The kit's dialogs by the ids of their titles. */
export const kitDialogs = { connect: "rk_connect_title", network: "rk_chain_modal_title" } as const;

/** The visible sheet of an open kit dialog. Null while the dialog is closed. */
function sheetOf(titleId: string): HTMLElement | null {
  return document.querySelector(`[data-rk] [role=dialog][aria-labelledby=${titleId}] [role=document] > div > div`);
}

/** Closes a dialog by the kit's own close button, which also cancels a pending connection. */
export function closeKitDialog(titleId: string) {
  sheetOf(titleId)?.querySelector<HTMLElement>("button[aria-label=Close]")?.click();
}

/**
 * Our own element at the end of an open kit dialog, for texts that the kit lacks. Null while the dialog is closed or
 * `wanted` is false. The element is inside the kit's dialog, so that there is one dialog and one focus order.
 */
export function usePlaceInKitDialog(titleId: string, wanted: boolean): HTMLElement | null {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!wanted) return;
    const own = document.createElement("div");
    const place = () => {
      const sheet = sheetOf(titleId);
      if (sheet === null) own.remove();
      else if (own.parentElement !== sheet) sheet.append(own);
      setPlace(sheet === null ? null : own);
    };
    place();
    // The kit mounts and unmounts the dialog as a portal on the body.
    const observer = new MutationObserver(place);
    observer.observe(document.body, { childList: true });
    return () => {
      observer.disconnect();
      own.remove();
      setPlace(null);
    };
  }, [titleId, wanted]);
  return place;
}
