import { QueryCache, QueryClient } from "@tanstack/react-query";
import { reportFault } from "../report-error.ts";

/** A rejection by the server is final. A lost response or an internal error may succeed on retry. */
function mayRetry(failures: number, error: unknown): boolean {
  if (failures >= 2) return false;
  if (error === null) return true;
  const code = typeof error === "object" && "error_code" in error ? error.error_code : null;
  return code === "internal_error" || code === "chain_unavailable";
}

export function createQueryClient() {
  return new QueryClient({
    // Each page shows the failure of its own query.
    queryCache: new QueryCache({ onError: (error) => reportFault("page", error) }),
    defaultOptions: {
      queries: {
        staleTime: 600_000,
        retry: mayRetry,
        retryDelay: (attempt) => 500 * 2 ** attempt,
        // A server on this machine is reachable without the internet.
        networkMode: "always",
      },
    },
  });
}
