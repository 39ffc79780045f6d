import { type ReactNode, useId } from "react";
import { cx } from "./class-names.ts";

interface SectionProps {
  title: ReactNode;
  /** Shown beside the title: a stamp, a range control. */
  aside?: ReactNode;
  intro?: ReactNode;
  children: ReactNode;
  className?: string;
  /** The element's id, which an address can refer to after `#`. */
  anchor?: string;
}

/** A titled part of a page. */
export function Section({ title, aside, intro, children, className, anchor }: SectionProps) {
  const id = useId();
  return (
    <section id={anchor} aria-labelledby={id} className={cx("min-w-0 scroll-mt-20", className)}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={id} className="text-20">
          {title}
        </h2>
        {aside}
      </div>
      {intro && <p className="-mt-2 mb-4 max-w-[68ch] text-14 text-muted">{intro}</p>}
      {children}
    </section>
  );
}
