import { hasCode } from "../failure.ts";
import { askConfirmation } from "./ask.ts";

/**
 * Runs work that may need a confirmation. If the server asks for one, the dialog opens, and the work runs again after
 * the reader confirmed. Throws the server's error if the reader closes the dialog.
 */
export async function withConfirmation<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!hasCode(error, "confirmation_required") || !(await askConfirmation())) throw error;
    return work();
  }
}
