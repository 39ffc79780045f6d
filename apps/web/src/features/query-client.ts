import { focusManager, isServer, QueryCache, QueryClient } from "@tanstack/react-query";
import { reportFault } from "../report-error.ts";

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "error_code" in error ? error.error_code : null;
}

/** Whether a later try may succeed: a lost response or an internal error. A rejection by the server is final. */
function isTemporary(error: unknown): boolean {
  if (error === null) return true;
  const code = codeOf(error);
  return code === "internal_error" || code === "chain_unavailable";
}

/** Whether the server or its database was away. Such a failure says when to try again, or had no answer. */
function isOutage(error: unknown): boolean {
  return error === null || (isTemporary(error) && typeof error === "object" && "retry_after" in error);
}

/** Milliseconds between two questions whether the server is ready again. A random part avoids a rush of all pages. */
const ASK_MS = 2_500;
const ASK_SPREAD_MS = 1_000;
/** Failures of a query after which only a person asks it again: something other than the server is in its way. */
const MAX_FAILURES = 5;

/** After an outage, what is on screen and failed is asked again as soon as the server is ready. */
export function createQueryClient() {
  let isWaiting = false;
  function wait() {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(
      () => {
        isWaiting = false;
        void recover();
      },
      ASK_MS + Math.random() * ASK_SPREAD_MS,
    );
  }
  async function recover() {
    // A query that is asked again shows no error meanwhile, so a page would flicker if the server were not asked first.
    const isReady =
      focusManager.isFocused() &&
      (await fetch("/ready").then(
        ({ ok }) => ok,
        () => false,
      ));
    if (!isReady) return wait();
    void client.refetchQueries({
      type: "active",
      predicate: ({ state }) =>
        isOutage(state.error) && state.status === "error" && state.errorUpdateCount <= MAX_FAILURES,
    });
  }
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        // The last answer has the figures that the audit found to be wrong.
        if (codeOf(error) === "figures_withheld") query.setState({ data: undefined });
        // Each page shows the failure of its own query.
        reportFault("page", error);
        if (!isServer && isOutage(error)) wait();
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 600_000,
        retry: (failures, error) => failures < 2 && isTemporary(error),
        retryDelay: (attempt) => 500 * 2 ** attempt,
        // A server on this machine is reachable without the internet.
        networkMode: "always",
      },
    },
  });
  return client;
}
