import { Waves, X } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { t } from "../../i18n/i18n.ts";
import { useOverlay } from "../../ui/use-overlay.ts";
import { assistant } from "./assistant.ts";

/** Dialog at the right edge, as high as the screen. Escape and a press on the overlay close it. */
export function ChatPanel({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  useOverlay({ open: true, panel, onEscape: onClose });
  return createPortal(
    <div className="fixed inset-0 z-50 flex animate-fade justify-end bg-scrim">
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        data-testid="chat-overlay"
        className="absolute inset-0 cursor-default"
        onClick={onClose}
      />
      <div
        ref={panel}
        role="dialog"
        aria-modal="true"
        aria-labelledby={id}
        aria-describedby={`${id}-note`}
        tabIndex={-1}
        className="relative flex h-full w-[calc(100%-32px)] max-w-[420px] flex-col border-l border-line bg-surface shadow-float outline-none transition-transform duration-200 ease-out starting:translate-x-8"
      >
        <div className="flex shrink-0 items-start gap-3 border-b border-line py-3 pr-3 pl-5">
          <span className="mt-1 grid size-8 shrink-0 place-items-center rounded-full bg-accent text-on-accent">
            <Waves aria-hidden="true" className="size-5" strokeWidth={1.75} />
          </span>
          <div className="min-w-0 flex-1">
            <h2 id={id} className="text-16 tracking-wide">
              {assistant}
            </h2>
            <p id={`${id}-note`} className="text-12 text-muted">
              {t("chat.note")}
            </p>
          </div>
          <button
            type="button"
            aria-label={t("ui.close")}
            onClick={onClose}
            className="grid size-10 shrink-0 place-items-center rounded-6 text-muted hover:text-ink"
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
