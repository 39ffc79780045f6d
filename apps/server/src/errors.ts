import { type ErrorBody, type ErrorCode, errorStatus } from "@aqua/sdk/api/envelope";

/** A refusal that is sent to the caller: its message is shown to people and must name nothing internal. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly details: NonNullable<ErrorBody["details"]> | undefined;
  /** Seconds, for the header Retry-After. */
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

/** The server has too much to do; the same request may succeed a moment later. */
export class ServerBusy extends ApiError {
  constructor(message = "The server is busy; try again in a moment") {
    super("too_many_requests", message, { retryAfter: 1 });
  }

  override get statusCode(): number {
    return 503;
  }
}

/** The server cannot start and a person can put it right: the message is one line and says how. */
export class StartRefused extends Error {
  override name = "StartRefused";
}
