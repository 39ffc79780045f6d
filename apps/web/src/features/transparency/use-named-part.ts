import { useEffect } from "react";
import { useLocation } from "react-router";

/** Milliseconds after which all content above the part should have loaded. */
const maxLoadTime = 10_000;

/**
 * Scrolls to the part that the address's hash names, which may not be rendered yet. Scrolls again while content above
 * it loads, until the reader scrolls.
 */
export function useNamedPart(names: readonly string[]) {
  // Depends on the location object instead of its hash, because following the same link again is another navigation
  // with an equal hash.
  const location = useLocation();
  useEffect(() => {
    const name = names.find((candidate) => location.hash === `#${candidate}`);
    if (name === undefined || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(() => document.getElementById(name)?.scrollIntoView({ behavior: "instant" }));
    observer.observe(document.body);
    const moves = ["wheel", "touchstart", "pointerdown", "keydown"] as const;
    const stop = () => {
      observer.disconnect();
      clearTimeout(timer);
      for (const move of moves) removeEventListener(move, stop);
    };
    const timer = setTimeout(stop, maxLoadTime);
    for (const move of moves) addEventListener(move, stop, { passive: true });
    return stop;
  }, [location, names]);
}
