import { hasCode } from "../failure.ts";
import { askConfirmation } from "./ask.ts";

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
