import { formatCount, formatDateTime, formatRelative } from "../i18n/format.ts";
import { t } from "../i18n/i18n.ts";
import { cx } from "./class-names.ts";
import { Disclosure } from "./disclosure.tsx";
import { useNow } from "./use-now.ts";

interface StampProps {
  block: number;
  /** Time of that block in Unix milliseconds. */
  time: number;
  /** The chain, or what reads it, has fallen behind. */
  stale?: boolean;
  /** Age in milliseconds beyond which the stamp turns amber. Default 10 minutes. */
  expected?: number;
  align?: "start" | "end";
  above?: boolean;
}

/** Block, time and age of a group of figures, and how to check them. */
export function Stamp({ block, time, stale = false, expected = 600_000, align = "end", above = false }: StampProps) {
  const now = useNow(10_000);
  const late = !stale && now - time > expected;
  const values = { block: formatCount(block), time: formatDateTime(time) };
  return (
    <Disclosure
      align={align}
      above={above}
      panelClassName="w-72 max-w-[calc(100vw-32px)] p-4 text-14"
      buttonClassName={cx(
        "inline-flex items-center gap-2 rounded-6 border px-2 py-1 text-left font-mono text-12 whitespace-nowrap transition-colors hover:border-accent",
        stale ? "border-negative/60 text-negative" : late ? "border-caution/60 text-caution" : "border-line text-muted",
      )}
      button={
        <>
          <span
            aria-hidden="true"
            className={cx("size-1.5 rounded-full", stale ? "bg-negative" : late ? "bg-caution" : "bg-positive")}
          />
          <span>{t("ui.stamp.block", values)}</span>
          <span>
            {"· "}
            {formatRelative(Math.min(time, now), now)}
            {(stale || late) && ` · ${t(stale ? "ui.stamp.stale" : "ui.stamp.late")}`}
          </span>
        </>
      }
    >
      {() => <p>{t(stale ? "ui.stamp.explainStale" : "ui.stamp.explain", values)}</p>}
    </Disclosure>
  );
}
