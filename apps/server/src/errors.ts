import { type ErrorBody, type ErrorCode, errorStatus } from "@aqua/sdk/api/envelope";

/** A rejection that is sent to the caller. People see its message, so it must not contain internal details. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly details: NonNullable<ErrorBody["details"]> | undefined;
  /** Seconds for the Retry-After header. */
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { details, retryAfter }: { details?: NonNullable<ErrorBody["details"]>; retryAfter?: number } = {},
  ) {
    super(message);
    this.details = details;
    this.retryAfter = retryAfter;
  }

  get statusCode(): number {
    return errorStatus[this.code];
  }
}

/** The server is overloaded. The same request may succeed a moment later. */
export class ServerBusy extends ApiError {
  constructor(message = "The server is busy; try again in a moment") {
    super("too_many_requests", message, { retryAfter: 1 });
  }

  override get statusCode(): number {
    return 503;
  }
}

/** The server cannot start, and a person can fix the cause. The message is one line that says how. */
export class StartRefused extends Error {
  override name = "StartRefused";
}
