import type { ClientPart } from "@aqua/sdk/api/client-error";
import { causes } from "@aqua/sdk/causes";

/** Writes an error of a part of the app to the console and to the server's log. Never throws. */
export function reportError(part: ClientPart, error: unknown): void {
  console.error(error);
  // Loaded only after an error.
  import("./send-error-report.ts")
    .then((module) => module.sendErrorReport(part, error))
    .catch((failure: unknown) => console.warn("The error could not be reported", failure));
}

/**
 * The same for what was caught, if it is a fault of this app. A failed call of the API is none, and throws no Error; nor
 * is what a wallet, a node or the browser answered, which has a code, or that they did not answer. Never throws.
 */
export function reportFault(part: ClientPart, caught: unknown): void {
  if (caught instanceof Error && !isOfOthers(caught)) reportError(part, caught);
}

function isOfOthers(caught: Error): boolean {
  // viem's names for a node without an answer; the code of a wallet, a node or the browser; the API's.
  for (const { name, code, error_code } of causes(caught))
    if (/(HttpRequest|Timeout)Error$/.test(String(name)) || typeof code === "number" || error_code) return true;
  return false;
}
