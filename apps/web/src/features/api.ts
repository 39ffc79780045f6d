import { createClient } from "@aqua/sdk/api/client";

function storedToken(): string | null {
  try {
    return localStorage.getItem("token");
  } catch {
    return null;
  }
}

/** The one client of the browser. Failed calls throw the response's body, or null when nothing answered. */
export const api = createClient({
  baseUrl: "/api/v2",
  getToken: storedToken,
  // Looked up at each call, so that whatever stands in for fetch is asked.
  fetch: (input, init) => globalThis.fetch(input, init),
});
