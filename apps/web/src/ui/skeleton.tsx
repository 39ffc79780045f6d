import type { CSSProperties } from "react";
import { cx } from "./class-names.ts";

/**
 * A grey placeholder with the size of the content. It is hidden from screen readers; the block around it has aria-busy.
 */
export function Skeleton({ className, style }: { className?: string; style?: CSSProperties }) {
  return <span aria-hidden="true" style={style} className={cx("block animate-wait rounded-6 bg-line/65", className)} />;
}
