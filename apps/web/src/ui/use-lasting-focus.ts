import { useEffect } from "react";

/** Where the focus can go: a heading, the panel of a tab, or what is marked because no heading is near. */
const home = "[data-focus-home], h1, h2, h3, [role=tabpanel]:not([hidden])";

/** Whether an element can no longer have the focus it had. */
function isGone(element: Element): boolean {
  return !element.isConnected || element.matches(":disabled") || element.closest("[hidden]") !== null;
}

/** What is around an element, the nearest first and the root last. */
function around(element: Element, root: Element): Element[] {
  const path: Element[] = [];
  for (let above = element; above !== root && above.parentElement !== null; ) {
    above = above.parentElement;
    path.push(above);
  }
  return path;
}

/**
 * Keeps the keyboard where it was on a page whose controls come and go. A control that goes away, or is disabled, while it
 * has the focus gives it to the body; here it goes to the nearest heading instead. Nothing moves when the visitor gives the
 * focus up, nor for what lies outside the root, such as dialogs.
 *
 * @param root finds it once the page is drawn; the same function at every render
 */
export function useLastingFocus(root: () => HTMLElement | null) {
  useEffect(() => {
    const page = root();
    if (!page) return;
    let last: { control: Element; around: Element[] } | null = null;

    function follow({ target }: FocusEvent) {
      const inside = page !== null && target instanceof Element && target !== page && page.contains(target);
      last = inside ? { control: target, around: around(target, page) } : null;
    }
    function letGo() {
      // Some browsers say so while they remove the control; what became of it is known a moment later.
      queueMicrotask(() => {
        if (document.activeElement === document.body && last && !isGone(last.control)) last = null;
      });
    }
    function keep() {
      // A disabled control still has the focus at this moment, and loses it without a word.
      const held = document.activeElement === document.body || document.activeElement === last?.control;
      if (last === null || !held || !isGone(last.control)) return;
      const near = last.around.find((one) => !isGone(one) && (one.matches(home) || one.querySelector(home) !== null));
      const found = near?.matches(home) ? near : near?.querySelector(home);
      const next = found instanceof HTMLElement ? found : page;
      if (next !== null && !next.hasAttribute("tabindex")) next.tabIndex = -1;
      next?.focus({ preventScroll: true });
    }

    document.addEventListener("focusin", follow);
    page.addEventListener("focusout", letGo);
    const changes = new MutationObserver(keep);
    changes.observe(page, { childList: true, subtree: true, attributeFilter: ["disabled", "hidden"] });
    return () => {
      changes.disconnect();
      document.removeEventListener("focusin", follow);
      page.removeEventListener("focusout", letGo);
    };
  }, [root]);
}
