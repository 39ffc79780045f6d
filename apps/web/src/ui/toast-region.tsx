import * as Toast from "@radix-ui/react-toast";
import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { t } from "../i18n/i18n.ts";
import { cx } from "./class-names.ts";
import type { ToastMessage } from "./toast-message.ts";

const looks = {
  info: { icon: Info, mark: "text-accent" },
  success: { icon: CircleCheck, mark: "text-positive" },
  error: { icon: CircleAlert, mark: "text-negative" },
} as const;

interface ToastRegionProps {
  message: ToastMessage;
  open: boolean;
  onDismiss: () => void;
}

/**
 * Shows a toast with the specification's durations, swipe and hotkey. It is rendered outside the page, because the page
 * is inert while a dialog is open.
 */
export default function ToastRegion({ message, open, onDismiss }: ToastRegionProps) {
  const { icon: Icon, mark } = looks[message.look ?? "info"];
  const viewport = useRef<HTMLOListElement>(null);
  const before = useRef<HTMLElement | null>(null);

  // After F8 moved the focus to the toast, the focus returns to its previous element.
  useEffect(() => {
    if (open || !before.current) return;
    const inside = viewport.current?.contains(document.activeElement) || document.activeElement === document.body;
    if (inside && before.current.isConnected) before.current.focus({ preventScroll: true });
    before.current = null;
  }, [open]);

  return createPortal(
    <Toast.Provider duration={5000} swipeThreshold={50} swipeDirection="right" label={t("ui.notifications")}>
      <Toast.Root
        key={message.id}
        open={open}
        onOpenChange={(next) => !next && onDismiss()}
        className={cx(
          "panel flex items-start gap-3 p-4 shadow-float data-[state=closed]:animate-leave data-[state=open]:animate-rise",
          "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0",
          "data-[swipe=cancel]:transition-transform data-[swipe=end]:translate-x-(--radix-toast-swipe-end-x)",
        )}
      >
        <Icon aria-hidden="true" className={cx("mt-0.5 size-5 shrink-0", mark)} strokeWidth={1.75} />
        <div className="min-w-0 flex-1 text-14 wrap-anywhere">
          <Toast.Title className="font-strong">{message.title}</Toast.Title>
          {message.description && <Toast.Description className="text-muted">{message.description}</Toast.Description>}
        </div>
        <Toast.Close
          aria-label={t("ui.dismiss")}
          className="-m-2 grid size-9 shrink-0 place-items-center rounded-6 text-muted hover:text-ink"
        >
          <X aria-hidden="true" className="size-4" />
        </Toast.Close>
      </Toast.Root>
      <Toast.Viewport
        ref={viewport}
        hotkey={["F8"]}
        label={`${t("ui.notifications")} ({hotkey})`}
        onFocus={(event) => {
          const from = event.relatedTarget;
          if (from instanceof HTMLElement && !event.currentTarget.contains(from)) before.current = from;
        }}
        // On a phone the toast is at the top, because sheets have their buttons at the bottom. It is above everything
        // else, including the wallet kit's dialogs, whose z-index is 2147483646.
        className="fixed top-[calc(16px+env(safe-area-inset-top))] right-4 left-4 z-2147483647 flex flex-col gap-2 rounded-12 sm:top-auto sm:bottom-4 sm:left-auto sm:w-96"
      />
    </Toast.Provider>,
    document.body,
  );
}
