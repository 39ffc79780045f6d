import { lazy, Suspense } from "react";
import { formatCount, formatRelative } from "../i18n/format.ts";
import { t } from "../i18n/i18n.ts";
import { cx } from "./class-names.ts";
import { Disclosure } from "./disclosure.tsx";
import type { StampPanelProps } from "./stamp-panel.tsx";
import { useNow } from "./use-now.ts";

interface StampProps {
  block: number;
  /** Time of that block in Unix milliseconds. */
  time: number;
  /** True if the chain or its indexer has fallen behind. */
  stale?: boolean;
  /**
   * The age in milliseconds above which the stamp turns amber. Default: 2 minutes, since figures on screen are
   * refetched every minute.
   */
  expected?: number;
  /** The source of the figures. Default: the contracts at this block. */
  from?: StampPanelProps["from"];
  align?: "start" | "end";
  above?: boolean;
}

const loadPanel = () => import("./stamp-panel.tsx");
const StampPanel = lazy(loadPanel);

/** Block, time and age of a group of figures. It opens an explanation of how to check them. */
export function Stamp({ block, time, stale, expected = 120_000, from, align = "end", above }: StampProps) {
  const now = useNow(10_000);
  const state = stale ? "stale" : now - time > expected ? "late" : "fresh";
  const age = formatRelative(Math.min(time, now), now);
  return (
    <Disclosure
      align={align}
      above={above}
      panelClassName="w-80 max-w-[calc(100vw-32px)] p-4 text-14"
      buttonClassName={cx(
        "print-kept inline-flex min-h-7 max-w-full flex-wrap items-center gap-x-2 rounded-6 border px-2 py-1 text-left font-mono text-12 transition-colors hover:border-accent",
        state === "stale"
          ? "border-negative/60 text-negative"
          : state === "late"
            ? "border-caution/60 text-caution"
            : "border-line text-muted",
      )}
      onIntent={loadPanel}
      button={
        <>
          <span
            aria-hidden="true"
            className={cx(
              "size-1.5 rounded-full forced-color-adjust-none",
              state === "stale" ? "bg-negative" : state === "late" ? "bg-caution" : "bg-positive",
            )}
          />
          <span>{t("ui.stamp.block", { block: formatCount(block) })}</span>
          <span>
            {"· "}
            {age}
            {state !== "fresh" && ` · ${t(`ui.stamp.${state}`)}`}
          </span>
        </>
      }
    >
      {() => (
        <Suspense>
          <StampPanel block={block} time={time} age={age} state={state} from={from} />
        </Suspense>
      )}
    </Disclosure>
  );
}
