import { type Client, type ClientOptions, createCalls } from "@aqua/sdk/api/calls";
import { renderedPage } from "./rendered-page.ts";
import { learnServerTime } from "./server-clock.ts";
import { clearAll, stored } from "./stored-session.ts";

/** True if the response says that the token is no longer valid. The body stays unread. */
async function isTokenError(response: Response): Promise<boolean> {
  if (response.ok) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === "object" && body !== null && "error_code" in body && body.error_code === "token_error";
}

/**
 * A connection to the API through `send` that adds the stored token to every call. `token_error` clears local storage
 * except for data outside the session, which logs the visitor out. The specification's other codes (logout_error,
 * login_failed, pool_not_found) have no special handling.
 */
export function connectionBy(send: typeof fetch): ClientOptions {
  return {
    baseUrl: "/api/v2",
    getToken: () => stored("token"),
    fetch: async (input, init) => {
      const token = stored("token");
      const sent = Date.now();
      const response = await send(input, init);
      learnServerTime(response.headers.get("date"), { sent, received: Date.now() });
      // A late response to a call of an earlier log-in must not end the current session.
      if ((await isTokenError(response)) && stored("token") === token) clearAll();
      return response;
    },
  };
}

/** The connection of all calls. It reads globalThis.fetch at each call, so that a replacement takes effect. */
export const connection = connectionBy((input, init) => (renderedPage() ?? globalThis).fetch(input, init));

/**
 * The API's calls over a connection. According to the specification a failed call rejects with the response's body, or
 * with null if there was no response.
 */
export function callsOver(options: ClientOptions): Client {
  return createCalls(options, (failure) => {
    throw failure.kind === "response" ? failure.body : null;
  });
}
