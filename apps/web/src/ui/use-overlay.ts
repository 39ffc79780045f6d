import { type RefObject, useLayoutEffect, useRef } from "react";
import { afterPaint } from "./after-paint.ts";

interface OpenOverlay {
  panel: HTMLElement;
  /** True if the overlay is also above dialogs of other libraries. */
  above: boolean;
}

/** Open overlays, the topmost last. */
const stack: OpenOverlay[] = [];
/** Dialogs of other libraries that are below an overlay with `above`. */
let covered: Element[] = [];

/** Makes everything below the topmost overlay inert, including the page. */
function coverRest() {
  const top = stack.at(-1);
  document.getElementById("root")?.toggleAttribute("inert", top !== undefined);
  for (const other of covered) other.removeAttribute("inert");
  covered = top?.above
    ? [...document.body.children].filter(
        (child) => !stack.some(({ panel }) => child.contains(panel)) && child.querySelector("[role=dialog]") !== null,
      )
    : [];
  for (const other of covered) other.setAttribute("inert", "");
  for (const overlay of stack) overlay.panel.toggleAttribute("inert", overlay !== top);
}

function holdScroll() {
  const { style, clientWidth } = document.documentElement;
  if (stack.length === 0) {
    style.overflow = "";
    style.scrollbarGutter = "";
  } else if (style.overflow === "") {
    // If the scrollbar takes space, that space stays reserved. Otherwise the page would shift.
    if (innerWidth > clientWidth) style.scrollbarGutter = "stable";
    style.overflow = "hidden";
  }
}

/**
 * The element to focus after an overlay whose opener is gone: the dialog below (ours or another library's), or the
 * page.
 */
function remaining(own: HTMLElement): HTMLElement | null {
  const below = [...document.querySelectorAll<HTMLElement>("[role=dialog]")]
    .filter((dialog) => !own.contains(dialog))
    .at(-1);
  return below?.querySelector<HTMLElement>("[role=document]") ?? below ?? document.getElementById("main");
}

/**
 * The common behaviour of open overlays. The page behind (#root) and overlays below are inert, and the page does not
 * scroll. The focus moves into the overlay and returns afterwards, or moves to the element below if the opener is gone.
 * `inert` on the page, instead of a focus trap, lets dialogs opened on top, such as the wallet kit's, receive the
 * focus; with `above` those are inert too. `onEscape` is called only for the topmost overlay, even if the focused
 * element was removed.
 */
export function useOverlay({
  open,
  panel,
  onEscape,
  above = false,
}: {
  open: boolean;
  panel: RefObject<HTMLElement | null>;
  onEscape?: () => void;
  above?: boolean;
}) {
  const leave = useRef(onEscape);
  leave.current = onEscape;

  // A layout effect runs before the paint, so an overlay reacts to Escape as soon as it is visible.
  useLayoutEffect(() => {
    const own = panel.current;
    if (!open || !own) return;
    const before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    const overlay = { panel: own, above };
    stack.push(overlay);
    // Both restyle the whole page. They run after the paint, so that a press waits only for the overlay.
    afterPaint(() => {
      holdScroll();
      coverRest();
    });
    const first = own.querySelector<HTMLElement>("[autofocus], [data-autofocus]") ?? own;
    first.focus({ preventScroll: true });

    const onKeyDown = (event: KeyboardEvent) => {
      // During an input method's composition, Escape cancels the composition.
      if (event.key !== "Escape" || event.isComposing || event.defaultPrevented || stack.at(-1) !== overlay) return;
      // Checks where the key was pressed instead of the current focus, because a toast closed by the same key has
      // already moved the focus. The page behind counts too: until it is inert, another element can receive the focus.
      const from = event.target as Node;
      const page = document.getElementById("root");
      if (from === document || from === document.body || own.contains(from) || page?.contains(from)) leave.current?.();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      stack.splice(stack.indexOf(overlay), 1);
      holdScroll();
      // Runs at once, because an inert element cannot receive the focus.
      coverRest();
      const back = before?.isConnected && before !== document.body ? before : remaining(own);
      back?.focus({ preventScroll: true });
    };
  }, [open, panel, above]);
}
