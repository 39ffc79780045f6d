import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import type { Decimal } from "../i18n/format.ts";

/** Milliseconds from the old figure to the new one. */
const duration = 240;
/** Of the way, so that money stays an integer on it too. */
const steps = 1000n;

/** Forced colours would show both figures, one over the other. */
const still = "(prefers-reduced-motion: reduce), (forced-colors: active)";

const digitsOf = (value: Decimal) => value.split(".")[1]?.length ?? 0;

/**
 * Draws the way from one figure to another over an element that shows the other already (`[data-count]` in tokens.css).
 * Nothing moves for who wants no motion. Returns what ends it at once.
 */
export function countUp({
  element,
  from,
  to,
  format,
}: {
  element: HTMLElement;
  from: Decimal;
  to: Decimal;
  format: (value: Decimal) => string;
}): () => void {
  if (matchMedia(still).matches) return () => {};
  const decimals = Math.max(digitsOf(from), digitsOf(to));
  const start = parseUnits(from, decimals);
  const way = parseUnits(to, decimals) - start;
  const begun = performance.now();
  let frame = 0;
  function draw(now: number) {
    const left = 1 - Math.min(1, Math.max(0, now - begun) / duration);
    if (left === 0) {
      delete element.dataset.count;
      return;
    }
    const eased = BigInt(Math.round((1 - left ** 3) * Number(steps)));
    element.dataset.count = format(formatUnits(start + (way * eased) / steps, decimals));
    frame = requestAnimationFrame(draw);
  }
  draw(begun);
  return () => {
    cancelAnimationFrame(frame);
    delete element.dataset.count;
  };
}
