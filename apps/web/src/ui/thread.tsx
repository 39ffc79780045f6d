import type { ReactNode } from "react";
import { cx } from "./class-names.ts";

interface Knot {
  key: string;
  label: ReactNode;
  /** The knot's state as text, because colour alone must not convey it. */
  note?: ReactNode;
  /** `tied`: verified, the default. `open`: pending. `torn`: the check failed. */
  state?: "tied" | "open" | "torn";
}

const knotLooks = {
  tied: "border-accent bg-accent text-on-accent",
  open: "border-line-strong bg-surface text-transparent",
  torn: "border-negative bg-surface text-negative",
} as const;
const marks = { tied: "M3 6.5 5 8.5 9 3.5", open: "", torn: "M3.5 3.5l5 5m0-5l-5 5" } as const;

/**
 * Draws reading, anchor, report, share price and payout as one line with a knot for each. It is horizontal if its own
 * width allows it, otherwise vertical.
 */
export function Thread({ label, knots }: { label: string; knots: Knot[] }) {
  return (
    <div className="@container">
      <ol aria-label={label} className="grid @2xl:auto-cols-fr @2xl:grid-flow-col">
        {knots.map(({ key, label: name, note, state = "tied" }, index) => {
          const next = knots[index + 1];
          return (
            <li key={key} className="relative flex min-w-0 gap-3 pb-6 last:pb-0 @2xl:block @2xl:pr-4 @2xl:pb-0">
              {next && (
                <span
                  aria-hidden="true"
                  className={cx(
                    "absolute top-5 bottom-0 left-[9px] border-l-2 @2xl:top-[9px] @2xl:right-0 @2xl:bottom-auto @2xl:left-5 @2xl:border-t-2 @2xl:border-l-0",
                    (next.state ?? "tied") === "tied" ? "border-accent" : "border-dashed border-line-strong/60",
                  )}
                />
              )}
              <svg
                viewBox="0 0 12 12"
                aria-hidden="true"
                className={cx(
                  "relative size-5 shrink-0 rounded-full border-2 forced-color-adjust-none",
                  knotLooks[state],
                )}
              >
                <path d={marks[state]} fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
              </svg>
              <div className="min-w-0 wrap-anywhere @2xl:mt-2">
                <p className="text-14 font-strong">{name}</p>
                {note && <div className="text-12 text-muted">{note}</div>}
              </div>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
