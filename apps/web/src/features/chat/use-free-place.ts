import { type RefObject, useEffect, useState } from "react";
import { useMedia } from "../../ui/use-media.ts";
import { liftOf, obstacleBoxes } from "./free-place.ts";

/** Milliseconds without changes before a place is searched, so that the button does not move while the page changes. */
const settleTime = 150;
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
    const findPlace = () => {
      const base = place.current?.getBoundingClientRect();
      if (base) setLift(liftOf({ base, obstacles: obstacleBoxes(), ceiling: header }));
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = () => {
      clearTimeout(timer);
      timer = setTimeout(findPlace, settleTime);
    };
    schedule();
    const changes = new MutationObserver(schedule);
    changes.observe(main, { childList: true, subtree: true });
    addEventListener("scroll", schedule, { passive: true });
    addEventListener("resize", schedule);
    return () => {
      clearTimeout(timer);
      changes.disconnect();
      removeEventListener("scroll", schedule);
      removeEventListener("resize", schedule);
    };
  }, [phone, place]);
  return lift;
}
