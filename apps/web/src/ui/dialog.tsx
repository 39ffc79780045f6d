import { X } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { t } from "../i18n/i18n.ts";
import { cx } from "./class-names.ts";
import { useOverlay } from "./use-overlay.ts";

interface FrameProps {
  open: boolean;
  onClose: () => void;
  /** Ids of the elements that contain the dialog's name and description. */
  labelledBy: string;
  describedBy?: string;
  children: ReactNode;
  frameClassName: string;
  panelClassName: string;
  /** The content stays mounted while the dialog is closed, with its typed text and running actions. */
  kept?: boolean;
  /** Places the dialog above the wallet kit's dialogs too, whose z-index is 2147483646. */
  above?: boolean;
}

/** A modal panel over the page, without a heading. Escape and a press on the backdrop close it. */
export function DialogFrame({
  open,
  onClose,
  labelledBy,
  describedBy,
  children,
  frameClassName,
  panelClassName,
  kept = false,
  above = false,
}: FrameProps) {
  const panel = useRef<HTMLDivElement>(null);
  useOverlay({ open, panel, onEscape: onClose, above });
  if (!open && !kept) return null;
  return createPortal(
    <div
      hidden={!open}
      className={cx("fixed inset-0 flex animate-fade bg-scrim", above ? "z-2147483647" : "z-50", frameClassName)}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        data-testid="backdrop"
        className="absolute inset-0 cursor-default"
        onClick={onClose}
      />
      <div
        ref={panel}
        role="dialog"
        aria-modal="true"
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        tabIndex={-1}
        className={cx("relative flex flex-col border-line bg-surface shadow-float outline-none", panelClassName)}
      >
        {children}
      </div>
    </div>,
    document.body,
  );
}

export function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <button
      type="button"
      aria-label={t("ui.close")}
      onClick={onClose}
      className="grid size-10 shrink-0 place-items-center rounded-6 text-muted hover:text-ink"
    >
      <X aria-hidden="true" className="size-5" strokeWidth={1.75} />
    </button>
  );
}

interface OverlayProps extends Pick<FrameProps, "open" | "onClose" | "children" | "kept" | "above"> {
  title: string;
  className?: string;
}

/** A dialog in the middle of the screen. */
export function Dialog(props: OverlayProps) {
  return <Overlay {...props} place="middle" />;
}

/** A sheet that slides up from the bottom of a phone's screen. `menu` limits it to 60 % of the viewport. */
export function Sheet({ menu = false, ...props }: OverlayProps & { menu?: boolean }) {
  return <Overlay {...props} place={menu ? "menu" : "bottom"} />;
}

const sheet = "w-full rounded-t-12 pb-[env(safe-area-inset-bottom)]";
const places = {
  middle: {
    frame: "items-end justify-center p-3 sm:items-center",
    panel: "w-full max-w-[440px] rounded-12 max-h-[calc(100dvh-24px)]",
  },
  bottom: { frame: "items-end", panel: `${sheet} max-h-[92dvh]` },
  menu: { frame: "items-end", panel: `${sheet} max-h-[60dvh]` },
} as const;

function Overlay({ title, children, className, place, ...props }: OverlayProps & { place: keyof typeof places }) {
  const id = useId();
  return (
    <DialogFrame
      {...props}
      labelledBy={id}
      frameClassName={places[place].frame}
      // The title covers the top 3.5rem of what scrolls, so a focused field must stop below it.
      panelClassName={cx(
        "animate-rise scroll-pt-14 overflow-y-auto overscroll-contain border",
        places[place].panel,
        className,
      )}
    >
      <div className="sticky top-0 z-10 flex h-14 shrink-0 items-center justify-between gap-4 border-b border-line bg-surface pr-3 pl-5">
        <h2 id={id} className="truncate text-16">
          {title}
        </h2>
        <CloseButton onClose={props.onClose} />
      </div>
      {children}
    </DialogFrame>
  );
}
