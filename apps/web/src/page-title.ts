import { useEffect, useSyncExternalStore } from "react";

const app = "Aqua";
let announced = "";
const listeners = new Set<() => void>();

/** Sets the document's title, which screen readers announce after a navigation. */
export function usePageTitle(title: string | null | undefined) {
  useEffect(() => {
    if (!title) return;
    const full = title === app ? app : `${title} · ${app}`;
    document.title = full;
    if (announced === full) return;
    announced = full;
    for (const listener of listeners) listener();
  }, [title]);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The title that the shell's live region announces after a navigation. */
export function useAnnouncedTitle(): string {
  return useSyncExternalStore(subscribe, () => announced);
}
