import { useInfiniteQuery } from "@tanstack/react-query";
import { formatDateTime } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { TableSkeleton } from "../../../ui/table-skeleton.tsx";
import { eventsOptions } from "../security.ts";

/** Program and network of the request. Empty if the operator or the server acted. */
function whereOf(program: string | null, place: string | null): string[] {
  if (place === null) return program === null ? [] : [program];
  return [program ?? t("security.unknownProgram"), t("security.place", { place })];
}

/** Lists what happened on the account: log-ins, failures, changes. */
export function Events() {
  const events = useInfiniteQuery(eventsOptions());
  const items = events.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className="px-5 py-4">
      <h3 className="text-14 font-strong">{t("security.events")}</h3>
      <p className="mt-0.5 text-14 text-muted">{t("security.events.text")}</p>
      {events.isPending ? (
        <TableSkeleton rows={3} />
      ) : items.length === 0 ? (
        events.data && <p className="mt-3 text-14 text-muted">{t("security.events.none")}</p>
      ) : (
        <ul className="mt-3 flex flex-col gap-2 border-l-2 border-line pl-4">
          {items.map(({ id, time, kind, user_agent, place, detail }) => (
            <li key={id}>
              <p className="text-14 wrap-anywhere">
                {t(`security.event.${kind}`)}
                {detail && <span className="text-muted"> · {detail}</span>}
              </p>
              <p className="text-12 text-muted">{[formatDateTime(time), ...whereOf(user_agent, place)].join(" · ")}</p>
            </li>
          ))}
        </ul>
      )}
      {events.isError && (
        <div className="mt-3">
          <ErrorState
            error={events.error}
            busy={events.isFetching}
            onRetry={() => void (events.isFetchNextPageError ? events.fetchNextPage() : events.refetch())}
          />
        </div>
      )}
      {events.hasNextPage && !events.isFetchNextPageError && (
        <Button
          className="mt-3"
          look="quiet"
          size="small"
          busy={events.isFetchingNextPage}
          onClick={() => void events.fetchNextPage()}
        >
          {t("security.events.more")}
        </Button>
      )}
    </div>
  );
}
