import { lazy, Suspense } from "react";
import { createStore, useStore } from "../create-store.ts";
import type { ToastMessage } from "./toast-message.ts";

/** Milliseconds after which a dismissed message is removed; the specification's value. */
const keptAfterDismissal = 1_000_000;

const current = createStore<{ message: ToastMessage; open: boolean } | null>(null);
let count = 0;
let removal: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for 5 seconds. A newer message replaces the older one. Callable from anywhere. */
export function toast(message: Omit<ToastMessage, "id">) {
  clearTimeout(removal);
  count += 1;
  current.set({ message: { ...message, id: count }, open: true });
}

/** Closes the displayed message and removes it later. */
function dismiss() {
  const shown = current.get();
  if (!shown?.open) return;
  current.set({ ...shown, open: false });
  removal = setTimeout(() => current.set(null), keptAfterDismissal);
}

const ToastRegion = lazy(() => import("./toast-region.tsx"));

/** The area for toasts. Mount it once; its code loads with the first message. */
export function Toaster() {
  const shown = useStore(current);
  return shown ? (
    <Suspense>
      <ToastRegion {...shown} onDismiss={dismiss} />
    </Suspense>
  ) : null;
}
