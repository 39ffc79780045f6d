import { useLayoutEffect, useRef } from "react";
import type { Decimal } from "../i18n/format.ts";
import { countUp } from "./count-up.ts";

interface CountedProps {
  value: Decimal;
  format: (value: Decimal) => string;
}

/**
 * A figure that counts once to its new value when it changes while visible. Its text is the new value from the start,
 * and the animation is drawn over it, so layout, screen readers and copying are unaffected. Requires a `key` that
 * identifies the figure, so that a change of product is not animated.
 */
export function AnimatedNumber({ value, format }: CountedProps) {
  const element = useRef<HTMLSpanElement>(null);
  const previous = useRef(value);
  const words = useRef(format);
  words.current = format;
  useLayoutEffect(() => {
    const from = previous.current;
    previous.current = value;
    if (from !== value && element.current)
      return countUp({ element: element.current, from, to: value, format: (step) => words.current(step) });
  }, [value]);
  return <span ref={element}>{format(value)}</span>;
}
