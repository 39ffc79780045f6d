import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { Toast } from "radix-ui";
import { useState } from "react";
import { t } from "../i18n/i18n.ts";
import { cx } from "./class-names.ts";
import type { ToastMessage } from "./toast.tsx";

const looks = {
  info: { icon: Info, mark: "text-accent" },
  success: { icon: CircleCheck, mark: "text-positive" },
  error: { icon: CircleAlert, mark: "text-negative" },
} as const;

/** Durations, swipe and hotkey are those of the specification. */
export default function ToastRegion({ message }: { message: ToastMessage }) {
  const [dismissed, setDismissed] = useState(0);
  const { icon: Icon, mark } = looks[message.look ?? "info"];
  return (
    <Toast.Provider duration={5000} swipeThreshold={50} swipeDirection="right" label={t("ui.notifications")}>
      <Toast.Root
        key={message.id}
        open={dismissed !== message.id}
        onOpenChange={(open) => !open && setDismissed(message.id)}
        className={cx(
          "panel flex items-start gap-3 p-4 shadow-float data-[state=open]:animate-rise",
          "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)",
        )}
      >
        <Icon aria-hidden="true" className={cx("mt-0.5 size-5 shrink-0", mark)} strokeWidth={1.75} />
        <div className="min-w-0 flex-1 text-14">
          <Toast.Title className="font-strong">{message.title}</Toast.Title>
          {message.description && <Toast.Description className="text-muted">{message.description}</Toast.Description>}
        </div>
        <Toast.Close aria-label={t("ui.dismiss")} className="-m-2 rounded-6 p-2 text-muted hover:text-ink">
          <X aria-hidden="true" className="size-4" />
        </Toast.Close>
      </Toast.Root>
      <Toast.Viewport
        hotkey={["F8"]}
        className="fixed right-4 bottom-4 left-4 z-60 flex flex-col gap-2 outline-none sm:left-auto sm:w-96"
      />
    </Toast.Provider>
  );
}
