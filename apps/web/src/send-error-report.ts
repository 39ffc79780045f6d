import type { ClientPart } from "@aqua/sdk/api/client-error";
import { callsOver, connection } from "./connection.ts";

const api = callsOver(connection);

/** Sends an error of a part of the app to the server's log. Never throws. */
export function sendErrorReport(part: ClientPart, error: unknown): void {
  const { message, stack } = error instanceof Error ? error : { message: textOf(error), stack: "" };
  const report = {
    part,
    message: message.slice(0, 500),
    stack: (stack ?? "").slice(0, 4_000),
    path: location.pathname.slice(0, 200),
  };
  api.reportError(report).catch((failure: unknown) => console.warn("The error could not be reported", failure));
}

/** A failed call throws the response's body. As a plain string every object would have the same text. */
function textOf(thrown: unknown): string {
  return typeof thrown === "object" ? JSON.stringify(thrown) : String(thrown);
}
