import { type RefObject, useEffect, useState } from "react";
import { useMedia } from "../../ui/use-media.ts";
import { liftOf, obstacleBoxes } from "./free-place.ts";

/** Milliseconds without changes before a place is searched, so that the button does not move while the page changes. */
const rest = 150;
/** Height of the header in pixels. The button stays below it. */
const header = 72;

/**
 * The pixels that the floating button moves up, so that on a phone it covers no figure and no control. Null if no place
 * is free. `place` is the button's place without moving.
 */
export function useFreePlace(place: RefObject<HTMLElement | null>): number | null {
  const phone = useMedia("(width < 768px)");
  const [lift, setLift] = useState<number | null>(0);
  useEffect(() => {
    const main = document.querySelector("main");
    if (!phone || !main) return setLift(0);
    const find = () => {
      const base = place.current?.getBoundingClientRect();
      if (base) setLift(liftOf({ base, obstacles: obstacleBoxes(), ceiling: header }));
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(find, rest);
    };
    soon();
    const changes = new MutationObserver(soon);
    changes.observe(main, { childList: true, subtree: true });
    addEventListener("scroll", soon, { passive: true });
    addEventListener("resize", soon);
    return () => {
      clearTimeout(timer);
      changes.disconnect();
      removeEventListener("scroll", soon);
      removeEventListener("resize", soon);
    };
  }, [phone, place]);
  return lift;
}
