import { createStore, useStore } from "../../../create-store.ts";

/** Answers the open question: true if the reader confirmed. */
type Answer = (confirmed: boolean) => void;

const question = createStore<Answer | null>(null);
let confirmation: Promise<boolean> | null = null;

/**
 * Opens the dialog and resolves to true if the reader confirmed. A second call while the dialog is open gets the same
 * answer.
 */
export function askConfirmation(): Promise<boolean> {
  confirmation ??= new Promise<boolean>((resolve) => question.set(resolve)).finally(() => {
    confirmation = null;
  });
  return confirmation;
}

/** Closes the dialog. */
export function answerConfirmation(confirmed: boolean) {
  question.get()?.(confirmed);
  question.set(null);
}

export function useIsConfirmationOpen(): boolean {
  return useStore(question) !== null;
}
