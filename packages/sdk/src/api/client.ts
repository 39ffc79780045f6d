import { type CallFailure, type Client, type ClientOptions, createCalls } from "./calls.ts";
import { type ErrorBody, type ErrorCode, errorBody } from "./envelope.ts";

/** The server answered that a call failed. */
export class ApiResponseError extends Error {
  override name = "ApiResponseError";
  /** HTTP status. */
  readonly status: number;
  /** Machine-readable code. Null if the answer does not come from our server. */
  readonly code: ErrorCode | null;
  /** The invalid fields. */
  readonly details: NonNullable<ErrorBody["details"]>;
  /** Identifies the call in the server's log. Null if the answer does not come from our server. */
  readonly requestId: string | null;
  /** The response body as received. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    const { data } = errorBody.safeParse(body);
    super(data?.message ?? `The server answered ${status}`);
    this.status = status;
    this.body = body;
    this.code = data?.error_code ?? null;
    this.details = data?.details ?? [];
    this.requestId = data?.request_id ?? null;
  }
}

/** No complete response arrived. It is unknown whether the call took effect. */
export class ApiConnectionError extends Error {
  override name = "ApiConnectionError";
  /**
   * `network`: the server is unreachable. `timeout`: 60 s passed. `aborted`: the caller aborted. `incomplete`: the
   * response broke off.
   */
  readonly reason: Extract<CallFailure, { kind: "connection" }>["reason"];

  constructor(reason: ApiConnectionError["reason"], cause?: unknown) {
    super(`No answer from the server (${reason})`, { cause });
    this.reason = reason;
  }
}

/**
 * The typed client of the API. A failed call rejects with an ApiResponseError, or with an ApiConnectionError if no
 * complete response arrived.
 *
 * @example
 * const aqua = createClient({ baseUrl: "https://aqua.example/api/v2" });
 * const { items } = await aqua.productList({ sort: "apy" });
 */
export function createClient(options: ClientOptions): Client {
  return createCalls(options, (failure) => {
    throw failure.kind === "response"
      ? new ApiResponseError(failure.status, failure.body)
      : new ApiConnectionError(failure.reason, failure.cause);
  });
}
