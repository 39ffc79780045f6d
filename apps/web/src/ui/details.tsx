import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./class-names.ts";

interface DetailsProps {
  label: string;
  children: ReactNode;
  /** Styles the element as the last part of a panel: below a rule, with content up to the panel's edges. */
  inset?: boolean;
}

/** A line that expands details which only some readers want to see. */
export function Details({ label, children, inset = false }: DetailsProps) {
  return (
    <details className={cx("group/details", inset && "border-t border-line")}>
      <summary
        className={cx(
          "flex min-h-11 cursor-pointer list-none items-center gap-1.5 text-14 font-strong text-muted hover:text-accent [&::-webkit-details-marker]:hidden",
          inset && "px-5",
        )}
      >
        <ChevronDown
          aria-hidden="true"
          className="size-4 transition-transform group-open/details:rotate-180"
          strokeWidth={1.75}
        />
        {label}
      </summary>
      <div className={cx("flex flex-col", inset ? "border-t border-line" : "gap-3 pt-1 pb-2")}>{children}</div>
    </details>
  );
}
