import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { stored, subscribeSession } from "../../stored-session.ts";
import { accountInfoOptions } from "../account/info.ts";
import { queryKeys } from "../query-keys.ts";

/** What is known of an account is asked for anew when the wallet or the log-in changes, and forgotten with the log-in. */
export function useAccountRefresh(address: string | null) {
  const queries = useQueryClient();
  const token = useSyncExternalStore(subscribeSession, () => stored("token"));
  const linked = useSyncExternalStore(subscribeSession, () => stored("checkAddress"));

  const seen = useRef({ token, address, linked });
  useEffect(() => {
    const before = seen.current;
    seen.current = { token, address, linked };
    // What was known belongs to the log-in before. After a log-out nothing is asked: without a token it would be refused.
    if (token === null) queries.removeQueries({ queryKey: queryKeys.me });
    else if (before.token !== token) void queries.resetQueries({ queryKey: queryKeys.me });
    else if (before.address !== address || before.linked !== linked) {
      void queries.invalidateQueries({ queryKey: queryKeys.me });
      // Also on a page that shows nothing of it: the next one that does has it at once. It says itself when it fails.
      void queries.prefetchQuery({ ...accountInfoOptions(), staleTime: 0 });
    }
  }, [queries, token, address, linked]);
}
