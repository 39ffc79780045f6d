import { useEffect, useState } from "react";
import { whenIdle } from "../when-idle.ts";
import { cx } from "./class-names.ts";
import { contours } from "./contours.ts";

const drawn = new Map<string, string[]>();

/**
 * Fine contour lines as on a sea chart, generated from `seed`: a product's lines are always the same. Decorative, so
 * they are drawn once the browser is idle and take no space in the layout.
 */
export function DepthLines({ seed, className }: { seed: string; className?: string }) {
  const [, setReady] = useState<string | null>(null);
  useEffect(() => {
    if (drawn.has(seed)) return;
    return whenIdle(() => {
      drawn.set(seed, contours(seed));
      setReady(seed);
    });
  }, [seed]);
  return (
    <svg
      viewBox="0 0 720 360"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      className={cx("pointer-events-none text-accent", className)}
    >
      {drawn.get(seed)?.map((line, index) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the levels is their identity
          key={index}
          d={line}
          fill="none"
          stroke="currentColor"
          strokeOpacity={0.1 + (index % 3 === 0 ? 0.12 : 0)}
          strokeWidth="1"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
          className="animate-fade"
        />
      ))}
    </svg>
  );
}
