import { useEffect, useLayoutEffect, useRef } from "react";
import type { Decimal } from "../i18n/format.ts";

/** Loads after the first figures are shown; none of them moves before that. */
let countUp: typeof import("./count-up.ts").countUp | undefined;

interface CountedProps {
  value: Decimal;
  format: (value: Decimal) => string;
}

/**
 * A figure that runs once to its new value when it changes while it is shown. Its text is the new value from the start:
 * what runs is drawn over it, so the layout, screen readers and whoever copies it know nothing of the way there. Give it
 * a `key` of what it is a figure of: between two products nothing has moved.
 */
export function AnimatedNumber({ value, format }: CountedProps) {
  const element = useRef<HTMLSpanElement>(null);
  const shown = useRef(value);
  const words = useRef(format);
  words.current = format;
  useEffect(() => {
    // A figure that does not move is correct too.
    import("./count-up.ts").then((module) => (countUp = module.countUp)).catch(() => undefined);
  }, []);
  useLayoutEffect(() => {
    const from = shown.current;
    shown.current = value;
    if (from !== value && element.current)
      return countUp?.({ element: element.current, from, to: value, format: (step) => words.current(step) });
  }, [value]);
  return <span ref={element}>{format(value)}</span>;
}
