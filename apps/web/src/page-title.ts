import { useEffect, useSyncExternalStore } from "react";

const app = "Aqua";
let announced = "";
const listeners = new Set<() => void>();

/** Names the page: in the browser's tab, and for screen readers when it has changed. */
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

/** What the shell's live region says after a navigation. */
export function useAnnouncedTitle(): string {
  return useSyncExternalStore(subscribe, () => announced);
}
