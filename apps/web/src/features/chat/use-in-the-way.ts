import { type RefObject, useEffect, useState } from "react";
import { useMedia } from "../../ui/use-media.ts";

/** The action panel beside the text of a product's page. */
const panel = "main aside > *";

/**
 * True if the panel beside a product's text is under `place`, where the floating button rests. Normally the panel ends
 * above the button. When it scrolls up it passes underneath, and the button must move aside so that it covers neither a
 * control nor an amount.
 */
export function useInTheWay(place: RefObject<HTMLElement | null>, onProduct: boolean): boolean {
  const beside = useMedia("(width >= 1024px)") && onProduct;
  const [under, setUnder] = useState(false);
  useEffect(() => {
    const main = document.querySelector("main");
    if (!beside || !main) return;
    let frame = 0;
    let observer: IntersectionObserver | undefined;
    const observe = () => {
      observer?.disconnect();
      const box = place.current?.getBoundingClientRect();
      const target = document.querySelector(panel);
      if (!box || !target) return setUnder(false);
      const { clientWidth, clientHeight } = document.documentElement;
      const edges = [box.top, clientWidth - box.right, clientHeight - box.bottom, box.left];
      observer = new IntersectionObserver((entries) => setUnder(entries.at(-1)?.isIntersecting === true), {
        rootMargin: edges.map((edge) => `${-Math.floor(edge)}px`).join(" "),
      });
      observer.observe(target);
    };
    // Runs at most once per frame, since a page that loads changes often.
    const schedule = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(observe);
    };
    schedule();
    const changes = new MutationObserver(schedule);
    changes.observe(main, { childList: true, subtree: true });
    addEventListener("resize", schedule);
    return () => {
      cancelAnimationFrame(frame);
      observer?.disconnect();
      changes.disconnect();
      removeEventListener("resize", schedule);
    };
  }, [beside, place]);
  return beside && under;
}
