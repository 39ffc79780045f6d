import type { ClientPart } from "@aqua/sdk/api/client-error";
import { causes } from "./causes.ts";

/** Writes an error of a part of the app to the console and to the server's log. Never throws. */
export function reportError(part: ClientPart, error: unknown): void {
  console.error(error);
  // Loaded only after an error.
  import("./send-error-report.ts")
    .then(({ sendErrorReport }) => sendErrorReport(part, error))
    .catch((failure: unknown) => console.warn("The error could not be reported", failure));
}

/**
 * The same for what was caught, if it is a fault of this app. A failed call of the API is none, and throws no Error; nor
 * is what a wallet or a node answered, which has a code, or that they did not answer. Never throws.
 */
export function reportFault(part: ClientPart, caught: unknown): void {
  if (caught instanceof Error && !isOfOthers(caught)) reportError(part, caught);
}

/** viem's names for a node without an answer. */
const unanswered: readonly unknown[] = ["HttpRequestError", "TimeoutError"];

function isOfOthers(caught: Error): boolean {
  for (const cause of causes(caught)) {
    if (unanswered.includes(cause.name)) return true;
    // The browser's own errors still have the numbers that they had before their names.
    if (typeof cause.code === "number" && !(cause instanceof DOMException)) return true;
  }
  return false;
}
