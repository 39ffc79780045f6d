import { useSyncExternalStore } from "react";

/** Answers the open question: whether the reader confirmed. */
type Answer = (confirmed: boolean) => void;

let asked: Answer | null = null;
let asking: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

function set(next: Answer | null) {
  asked = next;
  for (const listener of listeners) listener();
}

/** Opens the dialog; resolves with whether the reader confirmed. A second call while it is open gets the same answer. */
export function askConfirmation(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => set(resolve)).finally(() => {
    asking = null;
  });
  return asking;
}

/** Closes the dialog. */
export function answerConfirmation(confirmed: boolean) {
  asked?.(confirmed);
  set(null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useConfirmationAsked(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => asked !== null,
    () => false,
  );
}
