import type { ClientPart } from "@aqua/sdk/api/client-error";

/** Writes an error of a part of the app to the console and to the server's log. Never throws. */
export function reportError(part: ClientPart, error: unknown): void {
  console.error(error);
  // Loaded only after an error.
  import("./send-error-report.ts").then(
    ({ sendErrorReport }) => sendErrorReport(part, error),
    (failure: unknown) => console.warn("The error could not be reported", failure),
  );
}
