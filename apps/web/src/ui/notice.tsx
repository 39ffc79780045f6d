import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./class-names.ts";

const looks = {
  info: {
    icon: Info,
    frame: "border-accent/35 bg-[color-mix(in_srgb,var(--accent)_6%,var(--surface))]",
    mark: "text-accent",
  },
  caution: {
    icon: TriangleAlert,
    frame: "border-caution/40 bg-[color-mix(in_srgb,var(--caution)_7%,var(--surface))]",
    mark: "text-caution",
  },
  error: {
    icon: CircleAlert,
    frame: "border-negative/40 bg-[color-mix(in_srgb,var(--negative)_6%,var(--surface))]",
    mark: "text-negative",
  },
  success: {
    icon: CircleCheck,
    frame: "border-positive/40 bg-[color-mix(in_srgb,var(--positive)_7%,var(--surface))]",
    mark: "text-positive",
  },
} as const;

interface NoticeProps {
  look?: keyof typeof looks;
  title?: ReactNode;
  children?: ReactNode;
  /** Buttons or links for the next step. */
  actions?: ReactNode;
  /** Announces the notice when it appears. Use `alert` only for something that has just failed. */
  live?: "status" | "alert";
  className?: string;
}

/** A block that says what happened, what it means and what to do next. */
export function Notice({ look = "info", title, children, actions, live, className }: NoticeProps) {
  const { icon: Icon, frame, mark } = looks[look];
  return (
    <div role={live} className={cx("flex gap-3 rounded-12 border p-4", frame, className)}>
      <Icon aria-hidden="true" className={cx("mt-0.5 size-5 shrink-0", mark)} strokeWidth={1.75} />
      <div className="min-w-0 flex-1 text-14">
        {title && <p className="font-strong">{title}</p>}
        {children && <div className="text-muted">{children}</div>}
        {actions && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}
