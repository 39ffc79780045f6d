import { lazy, Suspense } from "react";
import { createStore, useStore } from "../create-store.ts";
import type { ToastMessage } from "./toast-message.ts";

/** Milliseconds after which a dismissed message is removed; the specification's value. */
const removalDelay = 1_000_000;

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
  const displayed = current.get();
  if (!displayed?.open) return;
  current.set({ ...displayed, open: false });
  removal = setTimeout(() => current.set(null), removalDelay);
}

const ToastRegion = lazy(() => import("./toast-region.tsx"));

/** The area for toasts. Mount it once; its code loads with the first message. */
export function Toaster() {
  const displayed = useStore(current);
  return displayed ? (
    <Suspense>
      <ToastRegion {...displayed} onDismiss={dismiss} />
    </Suspense>
  ) : null;
}
