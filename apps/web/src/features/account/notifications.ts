import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

/** Which e-mails the account receives, and in which language. */
export function notificationsOptions() {
  return queryOptions({
    queryKey: [...queryKeys.me, "notifications"],
    queryFn: ({ signal }) => api.notifications(signal),
    ...freshness.LAZY,
  });
}

export function useNotifications() {
  return useQuery(notificationsOptions());
}
