import { X } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { t } from "../i18n/i18n.ts";
import { cx } from "./class-names.ts";
import { useOverlay } from "./use-overlay.ts";

export interface OverlayProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** Uses the title as the accessible name without showing it. */
  hideTitle?: boolean;
  children: ReactNode;
  className?: string;
  /** Keeps the content mounted while closed, with typed text and running actions. */
  kept?: boolean;
  /** Above the wallet kit's dialogs too, whose z-index is 2147483646. */
  above?: boolean;
}

/** Dialog in the middle of the screen. Escape and a press on the backdrop close it. */
export function Dialog(props: OverlayProps) {
  return <Overlay {...props} place="middle" />;
}

const places = {
  middle: {
    frame: "items-end justify-center p-3 sm:items-center",
    panel: "w-full max-w-[440px] rounded-12 max-h-[calc(100dvh-24px)]",
  },
  bottom: { frame: "items-end", panel: "w-full rounded-t-12 max-h-[92dvh] pb-[env(safe-area-inset-bottom)]" },
  menu: { frame: "items-end", panel: "w-full rounded-t-12 max-h-[60dvh] pb-[env(safe-area-inset-bottom)]" },
} as const;

/** The common part of dialog and sheet. `menu` is at most 60 % of the viewport high. */
export function Overlay({
  open,
  onClose,
  title,
  hideTitle,
  children,
  className,
  above = false,
  kept = false,
  place,
}: OverlayProps & { place: keyof typeof places }) {
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  useOverlay({ open, panel, onEscape: onClose, above });
  if (!open && !kept) return null;
  return createPortal(
    <div
      hidden={!open}
      className={cx("fixed inset-0 flex animate-fade bg-scrim", above ? "z-2147483647" : "z-50", places[place].frame)}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        className="absolute inset-0 cursor-default"
        onClick={onClose}
      />
      <div
        ref={panel}
        role="dialog"
        aria-modal="true"
        aria-labelledby={id}
        tabIndex={-1}
        className={cx(
          "relative flex animate-rise flex-col overflow-y-auto overscroll-contain border border-line bg-surface shadow-float outline-none",
          places[place].panel,
          className,
        )}
      >
        <div
          className={cx(
            "sticky top-0 z-10 flex items-center justify-between gap-4 bg-surface pl-5 pr-3",
            hideTitle ? "h-0" : "h-14 shrink-0 border-b border-line",
          )}
        >
          <h2 id={id} className={hideTitle ? "sr-only" : "truncate text-16"}>
            {title}
          </h2>
          <button
            type="button"
            aria-label={t("ui.close")}
            onClick={onClose}
            className={cx(
              "grid size-10 place-items-center rounded-6 text-muted hover:text-ink",
              hideTitle && "absolute top-2 right-2",
            )}
          >
            <X aria-hidden="true" className="size-5" strokeWidth={1.75} />
          </button>
        </div>
        {children}
      </div>
    </div>,
    document.body,
  );
}
