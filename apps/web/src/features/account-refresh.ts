import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { stored, subscribeSession } from "../stored-session.ts";
import { queryKeys } from "./query-keys.ts";

/** What is known of an account is asked for anew when the wallet or the log-in changes, and forgotten with the log-in. */
export function useAccountRefresh(address: string | null) {
  const queries = useQueryClient();
  const token = useSyncExternalStore(subscribeSession, () => stored("token"));
  const linked = useSyncExternalStore(subscribeSession, () => stored("checkAddress"));

  // What was known belongs to the log-in before. After a log-out nothing is asked: without a token it would be refused.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the token is the trigger
  useEffect(
    () => () => {
      if (stored("token") === null) queries.removeQueries({ queryKey: queryKeys.me });
      else void queries.resetQueries({ queryKey: queryKeys.me });
    },
    [queries, token],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: wallet and link are the triggers
  useEffect(() => {
    if (token !== null) void queries.invalidateQueries({ queryKey: queryKeys.me });
  }, [queries, token, address, linked]);
}
