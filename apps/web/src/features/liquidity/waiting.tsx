import type { Liquidity } from "@aqua/sdk/api/product";
import { formatCount, formatDateTime, formatRate, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Details } from "../../ui/details.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Section } from "../../ui/section.tsx";
import { Term } from "../../ui/term.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { waitLength } from "./wait-text.ts";

/** States how accurate past estimates were, so that a reader can judge the current one. */
function recordText(record: Liquidity["track_record"]): string {
  if (!record || record.scored === 0 || record.within_p50 === null || record.within_p90 === null)
    return t("liquidity.record.none");
  return t("liquidity.record", {
    scored: formatCount(record.scored),
    p50: formatRate(record.within_p50, { digits: 0 }),
    p90: formatRate(record.within_p90, { digits: 0 }),
  });
}

/** The queue as a whole: its length, the estimated wait, and how reliable that is. */
export function Waiting({ liquidity, unit }: { liquidity: Liquidity; unit: string }) {
  const { queue, wait } = liquidity;
  if (!queue) return null;
  return (
    <Section title={<Term name="queue">{t("liquidity.queue")}</Term>} intro={t("liquidity.queue.intro")}>
      <div className="panel">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-5 p-5 lg:grid-cols-3">
          <Figure label={t("liquidity.queue.waiting")} note={t("liquidity.queue.requests", { count: queue.requests })}>
            <Amount value={queue.value} unit={unit} />
          </Figure>
          <Figure label={t("liquidity.queue.oldest")} note={queue.oldest && formatDateTime(queue.oldest)}>
            {queue.oldest === null ? (
              <Unknown reason={t("liquidity.queue.empty")} />
            ) : (
              formatRelative(queue.oldest, liquidity.as_of.time)
            )}
          </Figure>
          <Figure label={t("liquidity.p50")} note={t("liquidity.typical")}>
            {wait ? waitLength(wait.p50) : <NoEstimate />}
          </Figure>
          <Figure label={t("liquidity.p90")} note={t("liquidity.typical")}>
            {wait ? waitLength(wait.p90) : <NoEstimate />}
          </Figure>
          <Figure label={t("liquidity.queue.claimable")} note={t("liquidity.queue.claimable.note")}>
            <Amount value={queue.claimable} unit={unit} rounding="down" />
          </Figure>
        </dl>
        <p className="border-t border-line px-5 py-3 text-14 text-muted">
          {recordText(liquidity.track_record)}{" "}
          {queue.requests > 0 &&
            t("liquidity.queue.ready", {
              ready: formatCount(Math.floor(sharePercent(queue.ready_shares, queue.shares))),
            })}
        </p>
        <div className="border-t border-line px-5">
          <Details label={t("liquidity.estimate")}>
            <p className="max-w-[68ch] text-14 text-muted">{t("liquidity.estimate.text")}</p>
          </Details>
        </div>
      </div>
    </Section>
  );
}

/** A share in percent, for texts only. It uses floating point, so money must not be computed with it. */
function sharePercent(part: string, whole: string): number {
  return Number(whole) === 0 ? 0 : (Number(part) / Number(whole)) * 100;
}

function NoEstimate() {
  return <Unknown reason={t("liquidity.wait.none")} />;
}
