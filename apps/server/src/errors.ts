import { type ErrorBody, type ErrorCode, errorStatus } from "@aqua/sdk/api/envelope";

/** A refusal the caller is told about: its message is shown to people and must name nothing internal. */
export class ApiError extends Error {
  override name = "ApiError";
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: NonNullable<ErrorBody["details"]>,
    /** Seconds, for the header Retry-After. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }

  get statusCode(): number {
    return errorStatus[this.code];
  }
}

/** The server cannot start and a person can put it right: the message is one line and says how. */
export class StartRefused extends Error {
  override name = "StartRefused";
}
