import type { ReactNode } from "react";
import { cx } from "./class-names.ts";

const looks = {
  plain: "border-line text-muted",
  positive: "border-positive/40 text-positive",
  caution: "border-caution/50 text-caution",
  negative: "border-negative/50 text-negative",
  accent: "border-accent/40 text-accent",
} as const;

/** A label for type, status or network. The text states the meaning; the colour repeats it. */
export function Badge({ look = "plain", children }: { look?: keyof typeof looks; children: ReactNode }) {
  return (
    <span
      className={cx(
        "inline-flex h-6 items-center gap-1.5 rounded-full border bg-surface px-2.5 text-12 whitespace-nowrap",
        looks[look],
      )}
    >
      {look !== "plain" && <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />}
      {children}
    </span>
  );
}
