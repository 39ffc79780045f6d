import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import type { Decimal } from "../i18n/format.ts";

/** Duration of the animation in milliseconds. */
const duration = 240;
/** Resolution of the progress, so that amounts stay integers during the animation. */
const steps = 1000n;

/** There is also no animation with forced colours, because both figures would be visible over each other. */
const still = "(prefers-reduced-motion: reduce), (forced-colors: active)";

const digitsOf = (value: Decimal) => value.split(".")[1]?.length ?? 0;

/**
 * Draws the count from one figure to another over an element whose text is already the new figure (`[data-count]` in
 * tokens.css). There is no animation with reduced motion. Returns a function that ends it at once.
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
    const remaining = 1 - Math.min(1, Math.max(0, now - begun) / duration);
    if (remaining === 0) {
      delete element.dataset.count;
      return;
    }
    const eased = BigInt(Math.round((1 - remaining ** 3) * Number(steps)));
    element.dataset.count = format(formatUnits(start + (way * eased) / steps, decimals));
    frame = requestAnimationFrame(draw);
  }
  draw(begun);
  return () => {
    cancelAnimationFrame(frame);
    delete element.dataset.count;
  };
}
