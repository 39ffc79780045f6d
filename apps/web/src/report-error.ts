import type { ClientPart } from "@aqua/sdk/api/client-error";
import { causes } from "@aqua/sdk/causes";

/** Writes an error of a part of the app to the console and to the server's log. Never throws. */
export function reportError(part: ClientPart, error: unknown): void {
  console.error(error);
  // This code loads only after an error.
  import("./send-error-report.ts")
    .then((module) => module.sendErrorReport(part, error))
    .catch((failure: unknown) => console.warn("The error could not be reported", failure));
}

/**
 * Reports a caught value if it is a fault of this app. A failed API call is not a fault and throws no `Error`. An error
 * of a wallet, a node or the browser, which has a code, and a missing answer are not faults either. Never throws.
 */
export function reportFault(part: ClientPart, caught: unknown): void {
  if (caught instanceof Error && !isOfOthers(caught)) reportError(part, caught);
}

function isOfOthers(caught: Error): boolean {
  // viem's names for a node that did not answer; the code of a wallet, a node or the browser; the code of the API.
  for (const { name, code, error_code } of causes(caught))
    if (/(HttpRequest|Timeout)Error$/.test(String(name)) || typeof code === "number" || error_code) return true;
  return false;
}
