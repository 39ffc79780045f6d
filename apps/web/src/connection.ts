import { type Client, type ClientOptions, createCalls } from "@aqua/sdk/api/calls";
import { clearAll, stored } from "./stored-session.ts";

/** Whether the server says that the token of this call is no session's any more. Leaves the body to its reader. */
async function isTokenError(response: Response): Promise<boolean> {
  if (response.ok) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === "object" && body !== null && "error_code" in body && body.error_code === "token_error";
}

/**
 * How this browser reaches the API through `send`: with the stored token at every call. `token_error` clears local storage
 * but for what is no session, which logs out; the other codes of the specification (logout_error, login_failed, pool_not_found) get no
 * special treatment.
 */
export function connectionBy(send: typeof fetch): ClientOptions {
  return {
    baseUrl: "/api/v2",
    getToken: () => stored("token"),
    fetch: async (input, init) => {
      const token = stored("token");
      const response = await send(input, init);
      // A late answer to an older log-in must not end the present one.
      if ((await isTokenError(response)) && stored("token") === token) clearAll();
      return response;
    },
  };
}

/** The connection of all calls. fetch is looked up at each call, so that a replacement of it is used. */
export const connection = connectionBy((input, init) => globalThis.fetch(input, init));

/** The calls of the API over a connection. As specified, a failed one rejects with the answer's body, or null without an answer. */
export function callsOver(options: ClientOptions): Client {
  return createCalls(options, (failure) => {
    throw failure.kind === "response" ? failure.body : null;
  });
}
