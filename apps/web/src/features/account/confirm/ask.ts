import { createStore, useStore } from "../../../create-store.ts";

/** Answers the open question: true if the reader confirmed. */
type Answer = (confirmed: boolean) => void;

const asked = createStore<Answer | null>(null);
let asking: Promise<boolean> | null = null;

/**
 * Opens the dialog and resolves to true if the reader confirmed. A second call while the dialog is open gets the same
 * answer.
 */
export function askConfirmation(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => asked.set(resolve)).finally(() => {
    asking = null;
  });
  return asking;
}

/** Closes the dialog. */
export function answerConfirmation(confirmed: boolean) {
  asked.get()?.(confirmed);
  asked.set(null);
}

export function useConfirmationAsked(): boolean {
  return useStore(asked) !== null;
}
