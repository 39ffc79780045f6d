import { useEffect } from "react";
import { useLocation } from "react-router";

/** Milliseconds after which everything above should have loaded. */
const longest = 10_000;

/**
 * Scrolls to the part named by the address's hash, which may not be rendered yet, and keeps it in view while content
 * above it loads, until the reader scrolls.
 */
export function useNamedPart(names: readonly string[]) {
  // The location object, not its hash: following the same link again is another navigation with equal text.
  const location = useLocation();
  useEffect(() => {
    const name = names.find((one) => location.hash === `#${one}`);
    if (name === undefined || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(() => document.getElementById(name)?.scrollIntoView({ behavior: "instant" }));
    observer.observe(document.body);
    const moves = ["wheel", "touchstart", "pointerdown", "keydown"] as const;
    const stop = () => {
      observer.disconnect();
      clearTimeout(timer);
      for (const move of moves) removeEventListener(move, stop);
    };
    const timer = setTimeout(stop, longest);
    for (const move of moves) addEventListener(move, stop, { passive: true });
    return stop;
  }, [location, names]);
}
