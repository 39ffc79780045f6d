import { useEffect, useRef } from "react";

/**
 * Preserves the focus in a section whose buttons appear and disappear. When `state` changes and the focused button
 * disappears, focus moves to the section instead of the top of the page. `expectFocus`: focus will return to the
 * section after a dialog that holds it for a while.
 */
export function useRestoredFocus(state: string | null) {
  const section = useRef<HTMLElement>(null);
  const hadFocus = useRef(false);
  const expected = useRef(false);

  useEffect(() => {
    const follow = (event: FocusEvent) => {
      hadFocus.current = section.current?.contains(event.target as Node) ?? false;
    };
    document.addEventListener("focusin", follow);
    return () => document.removeEventListener("focusin", follow);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on a change of state
  useEffect(() => {
    if (!hadFocus.current && !expected.current) return;
    // A closing dialog first tries to restore the focus by itself.
    const timer = setTimeout(() => {
      if (document.activeElement !== null && document.activeElement !== document.body) return;
      expected.current = false;
      section.current?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [state]);

  return {
    section,
    expectFocus: () => {
      expected.current = true;
    },
  };
}
