import { lazy, Suspense, useSyncExternalStore } from "react";
import type { ToastMessage } from "./toast-message.ts";

/** How long a dismissed message is stored, in milliseconds; the specification's value. */
const keptAfterDismissal = 1_000_000;

let current: { message: ToastMessage; open: boolean } | null = null;
let count = 0;
let removal: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(next: typeof current) {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a message for 5 seconds. One at a time: a newer one replaces the older. Callable from anywhere. */
export function toast(message: Omit<ToastMessage, "id">) {
  clearTimeout(removal);
  count += 1;
  set({ message: { ...message, id: count }, open: true });
}

/** Closes the displayed message, and removes it later. */
function dismiss() {
  if (!current?.open) return;
  set({ ...current, open: false });
  removal = setTimeout(() => set(null), keptAfterDismissal);
}

const ToastRegion = lazy(() => import("./toast-region.tsx"));

/** The toast area; its code loads with the first message. Mount once. */
export function Toaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
  return shown ? (
    <Suspense>
      <ToastRegion {...shown} onDismiss={dismiss} />
    </Suspense>
  ) : null;
}
