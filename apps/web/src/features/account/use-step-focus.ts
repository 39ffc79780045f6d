import { type RefObject, useLayoutEffect } from "react";

/** Focuses a step that the reader has just opened, or the element that `within` selects in it. */
export function useStepFocus(ref: RefObject<HTMLElement | null>, within?: string) {
  useLayoutEffect(() => {
    const target = within ? ref.current?.querySelector<HTMLElement>(within) : ref.current;
    target?.focus({ preventScroll: true });
  }, [ref, within]);
}
