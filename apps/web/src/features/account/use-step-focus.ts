import { type RefObject, useLayoutEffect } from "react";

/** A step that has come up by the reader's own doing takes the focus: on itself, or on what `within` selects in it. */
export function useStepFocus(ref: RefObject<HTMLElement | null>, within?: string) {
  useLayoutEffect(() => {
    const target = within ? ref.current?.querySelector<HTMLElement>(within) : ref.current;
    target?.focus({ preventScroll: true });
  }, [ref, within]);
}
