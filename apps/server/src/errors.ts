import { type ErrorBody, type ErrorCode, errorStatus } from "@aqua/sdk/api/envelope";
import { DrizzleQueryError } from "drizzle-orm/errors";

/** A rejection that is sent to the caller. People see its message, so it must not contain internal details. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly details: NonNullable<ErrorBody["details"]> | undefined;
  /** Seconds for the Retry-After header. */
  readonly retryAfter: number | undefined;
  /** The limit that was reached, for the metric `aqua_limits_reached_total`. */
  readonly limit: string | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    {
      details,
      retryAfter,
      limit,
    }: { details?: NonNullable<ErrorBody["details"]>; retryAfter?: number; limit?: string } = {},
  ) {
    super(message);
    this.details = details;
    this.retryAfter = retryAfter;
    this.limit = limit;
  }

  get statusCode(): number {
    return errorStatus[this.code];
  }
}

/** The server is overloaded. The same request may succeed a moment later. */
export class ServerBusy extends ApiError {
  constructor(message = "The server is busy; try again in a moment", limit = "busy") {
    super("too_many_requests", message, { retryAfter: 1, limit });
  }

  override get statusCode(): number {
    return 503;
  }
}

/** The database does not answer. The same request may succeed once it does. */
export class DatabaseUnavailable extends ApiError {
  constructor(cause?: unknown) {
    super("internal_error", "The server cannot reach its database now; try again in a moment", { retryAfter: 2 });
    this.cause = cause;
  }

  override get statusCode(): number {
    return 503;
  }
}

/** Codes of the operating system about a connection. */
const BROKEN = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"]);
const NO_ADDRESS = new Set(["ENOENT", "ENOTFOUND", "EAI_AGAIN"]);
/** SQLSTATEs: connection exceptions, shutdown or start of the server, too many connections (PostgreSQL, appendix A). */
const AWAY_STATE = /^(08...|57P0[1-3]|53300)$/;
/** Messages of the driver, which have no code. */
const AWAY_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Returns whether a query failed because the database does not answer, by the error's last cause. */
export function isDatabaseAway(error: unknown): boolean {
  let root = error;
  let isOfQuery = false;
  for (;;) {
    if (root instanceof DatabaseUnavailable) return true;
    isOfQuery ||= root instanceof DrizzleQueryError;
    if (!(root instanceof Error) || !(root.cause instanceof Error)) break;
    root = root.cause;
  }
  // The same codes come from other connections, such as those to a chain's node.
  return isOfQuery && isAwayCause(root);
}

/** Returns whether an error of the database's driver means that the database does not answer. */
export function isAwayCause(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  if (BROKEN.has(code) || AWAY_STATE.test(code) || AWAY_MESSAGE.test(error.message)) return true;
  return NO_ADDRESS.has(code) && (syscall === "connect" || syscall === "getaddrinfo");
}

/** The server cannot start, and a person can fix the cause. The message is one line that says how. */
export class StartRefused extends Error {
  override name = "StartRefused";
}
