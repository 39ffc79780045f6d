import { useEffect } from "react";

/**
 * Elements that may receive the focus: a heading, the panel of a tab, or an element marked because no heading is near.
 */
const home = "[data-focus-home], h1, h2, h3, [role=tabpanel]:not([hidden])";

/** True if an element can no longer have the focus. */
function isGone(element: Element): boolean {
  return !element.isConnected || element.matches(":disabled") || element.closest("[hidden]") !== null;
}

/** The ancestors of an element, nearest first and the root last. */
function around(element: Element, root: Element): Element[] {
  const path: Element[] = [];
  for (let above = element; above !== root && above.parentElement !== null; ) {
    above = above.parentElement;
    path.push(above);
  }
  return path;
}

/**
 * Preserves the focus on a page whose controls appear and disappear. If a focused control disappears or is disabled,
 * the browser moves the focus to the body; this hook moves it to the nearest heading instead. It does nothing if the
 * visitor moves the focus away, and nothing outside the root, e.g. in dialogs.
 * @param root returns the root element once the page is rendered; must be the same function at every render
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
      // Some browsers fire blur while they remove the control. Its state is known a microtask later.
      queueMicrotask(() => {
        if (document.activeElement === document.body && last && !isGone(last.control)) last = null;
      });
    }
    function keep() {
      // A disabled control still has the focus at this moment and loses it without an event.
      const isAffected = document.activeElement === document.body || document.activeElement === last?.control;
      if (last === null || !isAffected || !isGone(last.control)) return;
      const near = last.around.find(
        (element) => !isGone(element) && (element.matches(home) || element.querySelector(home) !== null),
      );
      const target = near?.matches(home) ? near : near?.querySelector(home);
      const next = target instanceof HTMLElement ? target : page;
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
