import { type Client, type ClientOptions, createCalls } from "@aqua/sdk/api/calls";
import { renderedPage } from "./rendered-page.ts";
import { learnServerTime } from "./server-clock.ts";
import { clearAll, stored } from "./stored-session.ts";

/** Whether the response says that the token is no longer valid. Leaves the body unread. */
async function isTokenError(response: Response): Promise<boolean> {
  if (response.ok) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === "object" && body !== null && "error_code" in body && body.error_code === "token_error";
}

/**
 * Connection to the API through `send`, with the stored token in every call. `token_error` clears local storage except
 * for data outside the session, which logs out; the specification's other codes (logout_error, login_failed,
 * pool_not_found) have no special handling.
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
      // A late response to an earlier log-in's call must not end the current session.
      if ((await isTokenError(response)) && stored("token") === token) clearAll();
      return response;
    },
  };
}

/** The connection of all calls. Reads globalThis.fetch at each call, so that a replacement takes effect. */
export const connection = connectionBy((input, init) => (renderedPage() ?? globalThis).fetch(input, init));

/**
 * The API's calls over a connection. By the specification a failed call rejects with the response's body, or null
 * without a response.
 */
export function callsOver(options: ClientOptions): Client {
  return createCalls(options, (failure) => {
    throw failure.kind === "response" ? failure.body : null;
  });
}
