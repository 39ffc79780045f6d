import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { stored, subscribeSession } from "../../stored-session.ts";
import { accountInfoOptions } from "../account/info.ts";
import { queryKeys } from "../query-keys.ts";

/** Refetches an account's data when the wallet or the log-in changes, and removes it on log-out. */
export function useAccountRefresh(address: string | null) {
  const queries = useQueryClient();
  const token = useSyncExternalStore(
    subscribeSession,
    () => stored("token"),
    () => null,
  );
  const linked = useSyncExternalStore(
    subscribeSession,
    () => stored("checkAddress"),
    () => null,
  );

  const previous = useRef({ token, address, linked });
  useEffect(() => {
    const before = previous.current;
    previous.current = { token, address, linked };
    // Cached data belongs to the previous log-in. After a log-out nothing is fetched, since the server rejects calls
    // without a token.
    if (token === null) queries.removeQueries({ queryKey: queryKeys.me });
    else if (before.token !== token) void queries.resetQueries({ queryKey: queryKeys.me });
    else if (before.address !== address || before.linked !== linked) {
      void queries.invalidateQueries({ queryKey: queryKeys.me });
      // Prefetched on pages that do not show it too, so that the next page has it at once. The query reports its own
      // failure.
      void queries.prefetchQuery({ ...accountInfoOptions(), staleTime: 0 });
    }
  }, [queries, token, address, linked]);
}
