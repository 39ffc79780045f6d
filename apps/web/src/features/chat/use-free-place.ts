import { type RefObject, useEffect, useState } from "react";
import { useMedia } from "../../ui/use-media.ts";
import { liftOf, takenPlaces } from "./free-place.ts";

/** Milliseconds of rest before the place is looked for, so that the button does not move while the page does. */
const rest = 150;
/** Height of the header, below which the button stays, in pixels. */
const header = 72;

/**
 * How far the floating button moves up, in pixels, so that on a phone it covers no figure and no control; null where
 * there is no free place. `place`: where it is without moving.
 */
export function useFreePlace(place: RefObject<HTMLElement | null>): number | null {
  const phone = useMedia("(width < 768px)");
  const [lift, setLift] = useState<number | null>(0);
  useEffect(() => {
    const main = document.querySelector("main");
    if (!phone || !main) return setLift(0);
    const find = () => {
      const base = place.current?.getBoundingClientRect();
      if (base) setLift(liftOf({ base, taken: takenPlaces(), ceiling: header }));
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
