import { lazy, Suspense, useSyncExternalStore } from "react";

export interface ToastMessage {
  id: number;
  title: string;
  description?: string;
  look?: "info" | "success" | "error";
}

let current: ToastMessage | null = null;
let count = 0;
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a message for 5 seconds. One at a time: a newer one takes the place of the older. Callable from anywhere. */
export function toast(message: Omit<ToastMessage, "id">) {
  count += 1;
  current = { ...message, id: count };
  for (const listener of listeners) listener();
}

const ToastRegion = lazy(() => import("./toast-region.tsx"));

/** The toast area; its code arrives with the first message. Mount once. */
export function Toaster() {
  const message = useSyncExternalStore(subscribe, () => current);
  return message ? (
    <Suspense>
      <ToastRegion message={message} />
    </Suspense>
  ) : null;
}
