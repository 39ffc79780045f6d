import { type RefObject, useLayoutEffect, useRef } from "react";
import { afterPaint } from "./after-paint.ts";

interface OpenOverlay {
  panel: HTMLElement;
  /** Whether it is above other libraries' dialogs too. */
  above: boolean;
}

/** Open overlays, the topmost last. */
const stack: OpenOverlay[] = [];
/** Other libraries' dialogs below an overlay that is above them. */
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
    // Where the scrollbar takes space, that space stays reserved, or the page would shift.
    if (innerWidth > clientWidth) style.scrollbarGutter = "stable";
    style.overflow = "hidden";
  }
}

/**
 * The element to focus after an overlay whose opener is gone: the dialog below, ours or another library's, or the page.
 */
function remaining(own: HTMLElement): HTMLElement | null {
  const below = [...document.querySelectorAll<HTMLElement>("[role=dialog]")]
    .filter((dialog) => !own.contains(dialog))
    .at(-1);
  return below?.querySelector<HTMLElement>("[role=document]") ?? below ?? document.getElementById("main");
}

/**
 * The common behaviour of open overlays: the page behind (#root) and overlays below are inert, the page does not
 * scroll, focus moves in and returns afterwards, or moves to what is below if the opener is gone. `inert` on the page
 * instead of a focus trap lets dialogs opened on top, such as the wallet kit's, take the focus; with `above` those are
 * inert too. `onEscape` is called for the topmost overlay only, also when the focused element was removed.
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

  // Before it is painted: what is seen answers to Escape.
  useLayoutEffect(() => {
    const own = panel.current;
    if (!open || !own) return;
    const before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    const overlay = { panel: own, above };
    stack.push(overlay);
    // Both restyle the whole page, and a press waits for the overlay alone.
    afterPaint(() => {
      holdScroll();
      coverRest();
    });
    const first = own.querySelector<HTMLElement>("[autofocus], [data-autofocus]") ?? own;
    first.focus({ preventScroll: true });

    const onKeyDown = (event: KeyboardEvent) => {
      // Escape first cancels an input method's composition.
      if (event.key !== "Escape" || event.isComposing || event.defaultPrevented || stack.at(-1) !== overlay) return;
      // Checks where the key was pressed and not the current focus: a toast closed by the same key has already moved
      // it. The page behind counts too: until it is inert, something else can have given it the focus.
      const from = event.target as Node;
      const page = document.getElementById("root");
      if (from === document || from === document.body || own.contains(from) || page?.contains(from)) leave.current?.();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      stack.splice(stack.indexOf(overlay), 1);
      holdScroll();
      // At once, since nothing inert takes the focus.
      coverRest();
      const back = before?.isConnected && before !== document.body ? before : remaining(own);
      back?.focus({ preventScroll: true });
    };
  }, [open, panel, above]);
}
