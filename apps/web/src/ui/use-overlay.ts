import { type RefObject, useEffect, useRef } from "react";

/** Open overlays, the topmost last. */
const stack: HTMLElement[] = [];

/** Everything below the topmost overlay, the page first of all, takes no focus and no clicks. */
function layOut() {
  document.getElementById("root")?.toggleAttribute("inert", stack.length > 0);
  const { style, clientWidth } = document.documentElement;
  if (stack.length === 0) {
    style.overflow = "";
    style.scrollbarGutter = "";
  } else if (style.overflow === "") {
    // Where the scrollbar takes room, that room stays, or the page would jump aside.
    if (innerWidth > clientWidth) style.scrollbarGutter = "stable";
    style.overflow = "hidden";
  }
  for (const panel of stack) panel.toggleAttribute("inert", panel !== stack.at(-1));
}

/**
 * What every overlay does while it is open: the page behind (#root) and overlays below are inert, the page does not
 * scroll, focus moves in and returns afterwards. `inert` on the page instead of a focus trap leaves dialogs opened on
 * top, such as the wallet kit's, free to take focus. `onEscape` is called for the topmost overlay only, also when focus
 * has been lost with the element that held it.
 */
export function useOverlay(open: boolean, panel: RefObject<HTMLElement | null>, onEscape?: () => void) {
  const leave = useRef(onEscape);
  leave.current = onEscape;

  useEffect(() => {
    const own = panel.current;
    if (!open || !own) return;
    const before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    stack.push(own);
    layOut();
    const first = own.querySelector<HTMLElement>("[autofocus], [data-autofocus]") ?? own;
    first.focus({ preventScroll: true });

    const onKeyDown = (event: KeyboardEvent) => {
      // Escape first ends what an input method is composing.
      if (event.key !== "Escape" || event.isComposing || event.defaultPrevented || stack.at(-1) !== own) return;
      // Where the key was pressed, not where the focus is by now: a toast closed by it has given the focus back.
      const from = event.target as Node;
      if (from === document || from === document.body || own.contains(from)) leave.current?.();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      stack.splice(stack.indexOf(own), 1);
      layOut();
      if (before?.isConnected) before.focus({ preventScroll: true });
    };
  }, [open, panel]);
}
