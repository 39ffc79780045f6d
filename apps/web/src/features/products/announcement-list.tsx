import type { Announcement, Announcements } from "@aqua/sdk/api/notices";
import { Link } from "react-router";
import { formatDateTime, formatNearDate, formatRate, shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { useAnnouncements } from "./announcements.ts";

/** Titles of a change. For a custodian and its buffer, only values that differ from the present ones are listed. */
function titlesOf(change: Announcement): string[] {
  if (change.kind === "fee") {
    const [present, next] = [formatRate(change.present.fee), formatRate(change.next.fee)];
    return [t("announcements.fee", { present, next })];
  }
  const named = (custodian: string | null) => (custodian ? shortenAddress(custodian) : t("announcements.none"));
  const { present, next } = change;
  return [
    ...(present.custodian === next.custodian
      ? []
      : [t("announcements.custodian", { present: named(present.custodian), next: named(next.custodian) })]),
    ...(present.buffer === next.buffer
      ? []
      : [t("announcements.buffer", { present: formatRate(present.buffer), next: formatRate(next.buffer) })]),
  ];
}

/**
 * The time by which the reader could exit, compared with the date of the change; null for a reader without a position.
 */
function exitText({ exit, exit_unknown, as_of }: Announcements, from: number): string | null {
  if (exit === null)
    return exit_unknown === null || exit_unknown === "no_position" ? null : t(`announcements.exit.${exit_unknown}`);
  if (exit.p90 === 0) return t("announcements.exit.now");
  const { time } = as_of;
  const [half, most] = [formatNearDate(time + exit.p50, time), formatNearDate(time + exit.p90, time)];
  const by = t("announcements.exit.by", { half, most });
  return time + exit.p90 > from ? `${by} ${t("announcements.exit.later")}` : by;
}

/**
 * Lists announced changes of a product's fee or custodian: the change, its date, and when the reader could exit before
 * it. Shows an error if the changes did not load.
 */
export function AnnouncementList({
  answer: { data, isError, error, isFetching, refetch },
  ofOneOfSeveral,
}: {
  answer: ReturnType<typeof useAnnouncements>;
  /**
   * The product's short id on a page of several products. The list then shows the product's name with a link to it, or
   * the id in an error before the name is known.
   */
  ofOneOfSeveral?: string;
}) {
  if (data === undefined && isError) {
    const title =
      ofOneOfSeveral === undefined
        ? t("announcements.failed")
        : t("announcements.failedOf", { product: ofOneOfSeveral });
    return <ErrorState title={title} error={error} busy={isFetching} onRetry={() => refetch()} />;
  }
  return data?.changes.map((change) => (
    <Notice
      key={`${change.operation}-${change.nonce}`}
      look="caution"
      title={titlesOf(change).join(" · ")}
      {...(ofOneOfSeveral !== undefined && {
        actions: (
          <Link to={paths.product(ofOneOfSeveral)} className="link">
            {data.name}
          </Link>
        ),
      })}
    >
      {[t("announcements.from", { from: formatDateTime(change.possible_from) }), exitText(data, change.possible_from)]
        .filter((sentence) => sentence !== null)
        .join(" ")}
    </Notice>
  ));
}
