import { type RefObject, useEffect, useRef } from "react";

interface OpenOverlay {
  panel: HTMLElement;
  /** It lies over dialogs that are not ours too. */
  above: boolean;
}

/** Open overlays, the topmost last. */
const stack: OpenOverlay[] = [];
/** Dialogs that are not ours, below an overlay that lies over them. */
let covered: Element[] = [];

/** Everything below the topmost overlay, the page first of all, takes no focus and no clicks. */
function layOut() {
  const top = stack.at(-1);
  document.getElementById("root")?.toggleAttribute("inert", top !== undefined);
  for (const other of covered) other.removeAttribute("inert");
  covered = top?.above
    ? [...document.body.children].filter(
        (child) => !stack.some(({ panel }) => child.contains(panel)) && child.querySelector("[role=dialog]") !== null,
      )
    : [];
  for (const other of covered) other.setAttribute("inert", "");
  const { style, clientWidth } = document.documentElement;
  if (stack.length === 0) {
    style.overflow = "";
    style.scrollbarGutter = "";
  } else if (style.overflow === "") {
    // Where the scrollbar takes room, that room stays, or the page would jump aside.
    if (innerWidth > clientWidth) style.scrollbarGutter = "stable";
    style.overflow = "hidden";
  }
  for (const overlay of stack) overlay.panel.toggleAttribute("inert", overlay !== top);
}

/** What has the focus after an overlay whose opener is gone: the dialog below, ours or another's, or the page. */
function remaining(own: HTMLElement): HTMLElement | null {
  const below = [...document.querySelectorAll<HTMLElement>("[role=dialog]")]
    .filter((dialog) => !own.contains(dialog))
    .at(-1);
  return below?.querySelector<HTMLElement>("[role=document]") ?? below ?? document.getElementById("main");
}

/**
 * What every overlay does while it is open: the page behind (#root) and overlays below are inert, the page does not
 * scroll, focus moves in and returns afterwards, to what is below where the element it came from is gone. `inert` on
 * the page instead of a focus trap leaves dialogs opened on top, such as the wallet kit's, free to take focus; with
 * `above` those are inert too. `onEscape` is called for the topmost overlay only, also when focus has been lost with the
 * element that held it.
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

  useEffect(() => {
    const own = panel.current;
    if (!open || !own) return;
    const before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    const overlay = { panel: own, above };
    stack.push(overlay);
    layOut();
    const first = own.querySelector<HTMLElement>("[autofocus], [data-autofocus]") ?? own;
    first.focus({ preventScroll: true });

    const onKeyDown = (event: KeyboardEvent) => {
      // Escape first ends what an input method is composing.
      if (event.key !== "Escape" || event.isComposing || event.defaultPrevented || stack.at(-1) !== overlay) return;
      // Where the key was pressed, not where the focus is by now: a toast closed by it has given the focus back.
      const from = event.target as Node;
      if (from === document || from === document.body || own.contains(from)) leave.current?.();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      stack.splice(stack.indexOf(overlay), 1);
      layOut();
      const back = before?.isConnected && before !== document.body ? before : remaining(own);
      back?.focus({ preventScroll: true });
    };
  }, [open, panel, above]);
}
