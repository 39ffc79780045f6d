import { useEffect, useRef } from "react";

/** Milliseconds after which everything above has had its time to come. */
const longest = 10_000;

/** Brings a part of the page into view and keeps it there while what stands above it comes, until the reader moves. */
export function useInView<Kind extends HTMLElement>(wanted: boolean) {
  const ref = useRef<Kind>(null);
  useEffect(() => {
    if (!wanted || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(() => ref.current?.scrollIntoView({ behavior: "instant" }));
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
  }, [wanted]);
  return ref;
}
