import { useLayoutEffect, useRef, useState } from "react";

/** Drawn at this width where nothing can be measured. */
const assumed = 640;

/** The width of an element in CSS pixels, followed while it changes. 0 before the first measure. */
export function useWidth<Kind extends HTMLElement>() {
  const ref = useRef<Kind>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setWidth(Math.round(element.getBoundingClientRect().width) || assumed);
    measure();
    if (typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
