import { useSyncExternalStore } from "react";
import { hasCode } from "../failure.ts";

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
function askConfirmation(): Promise<boolean> {
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
  return useSyncExternalStore(subscribe, () => asked !== null);
}

/**
 * Does what may need a confirmation: where the server asks for one, the dialog opens and the work is done again. Throws
 * the server's error when the reader closes the dialog.
 */
export async function withConfirmation<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!hasCode(error, "confirmation_required") || !(await askConfirmation())) throw error;
    return work();
  }
}
