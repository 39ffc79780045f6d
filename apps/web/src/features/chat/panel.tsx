import { Waves } from "lucide-react";
import { type ReactNode, useId } from "react";
import { t } from "../../i18n/i18n.ts";
import { CloseButton, DialogFrame } from "../../ui/dialog.tsx";
import { assistant } from "./assistant.ts";

/** A dialog at the right edge, as high as the screen. */
export function ChatPanel({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const id = useId();
  return (
    <DialogFrame
      open
      onClose={onClose}
      labelledBy={id}
      describedBy={`${id}-note`}
      frameClassName="justify-end"
      panelClassName="h-full w-[calc(100%-32px)] max-w-[420px] border-l transition-transform duration-200 ease-out starting:translate-x-8"
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
        <CloseButton onClose={onClose} />
      </div>
      {children}
    </DialogFrame>
  );
}
