import { t } from "../i18n/i18n.ts";
import { cx } from "./class-names.ts";

/** Only the spinning icon. Put a text beside it, or use `Loading`. */
export function Spinner({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" className={cx("size-5 animate-turn", className)}>
      <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeOpacity=".2" strokeWidth="2" />
      <path d="M10 2a8 8 0 0 1 8 8" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}

/** Shown while the code of a route loads. */
export function Loading() {
  return (
    <div role="status" className="page grid min-h-[60vh] place-content-center justify-items-center gap-3 text-muted">
      <Spinner className="size-6 text-accent" />
      <p className="text-14">{t("ui.loading")}</p>
    </div>
  );
}
