import type { ReactNode } from "react";
import { cx } from "./class-names.ts";

interface FigureProps {
  label: ReactNode;
  children: ReactNode;
  note?: ReactNode;
  size?: "small" | "medium" | "large";
  className?: string;
}

/** One labelled figure inside a `<dl>`. */
export function Figure({ label, children, note, size = "medium", className }: FigureProps) {
  return (
    <div className={cx("min-w-0", className)}>
      <dt className="text-12 text-muted">{label}</dt>
      <dd
        className={cx(
          "mt-0.5",
          size === "large"
            ? "text-20 font-strong tracking-tight sm:text-28"
            : size === "medium"
              ? "text-20 font-strong"
              : "text-14",
        )}
      >
        {children}
      </dd>
      {note && <dd className="mt-0.5 text-12 text-muted">{note}</dd>}
    </div>
  );
}
