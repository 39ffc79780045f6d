import type { Device } from "@aqua/sdk/api/telemetry";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { dateAndTime, formatDateTime } from "../../i18n/format.ts";
import { language, t } from "../../i18n/i18n.ts";
import { Figure } from "../../ui/figure.tsx";

const units = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
  ["second", 1_000],
] as const;

/** The exact interval in the largest unit that divides it. */
function everyText(interval: number): string {
  const [unit, length] = units.find(([, length]) => interval % length === 0) ?? (["second", 1_000] as const);
  const unitDisplay = unit === "day" ? "long" : "short";
  const format = new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay, maximumFractionDigits: 3 });
  return t("readings.interval.every", { time: format.format(interval / length) });
}

/** The period in which an earlier interval applied. The first period has no start. */
function periodText(from: number | null, to: number): string {
  if (from === null) return t("readings.interval.until", { to: formatDateTime(to) });
  return new Intl.DateTimeFormat(language(), dateAndTime).formatRange(from, to);
}

/**
 * Shows a device's reporting interval, its start, and earlier intervals. Availability at those times is measured by the
 * interval of that time.
 */
export function Intervals({ device: { interval, intervals } }: { device: Pick<Device, "interval" | "intervals"> }) {
  const since = intervals.at(-1)?.since ?? null;
  const earlier = intervals.slice(0, -1).map((period, index) => ({ ...period, to: intervals[index + 1]?.since ?? 0 }));
  return (
    <Figure
      size="small"
      label={t("readings.interval")}
      note={
        since !== null && (
          <>
            {t("readings.interval.since", { date: formatDateTime(since) })}
            {earlier.length > 0 && (
              <details className="mt-1">
                <summary className="w-fit py-1 hover:text-ink">{t("readings.interval.earlier")}</summary>
                <ul className="mt-1 flex flex-col gap-2">
                  {earlier.reverse().map((period) => (
                    <li key={period.since}>
                      <span className="block text-ink">{everyText(period.interval)}</span>
                      {periodText(period.since, period.to)}
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </>
        )
      }
    >
      {everyText(interval)}
    </Figure>
  );
}
