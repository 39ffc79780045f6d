import { type RefObject, useEffect } from "react";

let openOverlays = 0;

/**
 * What every overlay does while it is open: the page behind (#root) is inert and does not scroll, focus moves in and
 * returns afterwards. `inert` on the page instead of a focus trap leaves dialogs opened on top, such as the wallet
 * kit's, free to take focus.
 */
export function useOverlay(open: boolean, panel: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (!open) return;
    const page = document.getElementById("root");
    const before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    openOverlays += 1;
    page?.setAttribute("inert", "");
    document.documentElement.style.overflow = "hidden";
    const first = panel.current?.querySelector<HTMLElement>("[autofocus], [data-autofocus]") ?? panel.current;
    first?.focus({ preventScroll: true });
    return () => {
      openOverlays -= 1;
      if (openOverlays === 0) {
        page?.removeAttribute("inert");
        document.documentElement.style.overflow = "";
      }
      if (before?.isConnected) before.focus({ preventScroll: true });
    };
  }, [open, panel]);
}
