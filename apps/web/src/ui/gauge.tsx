import { cx } from "./class-names.ts";

interface GaugeProps {
  /** Accessible name: "Cap filled". */
  label: string;
  /**
   * The level from 0 to 1; other values are clamped. Null while unknown: the vessel is drawn empty and described as
   * unknown.
   */
  level: number | null;
  /** The level as text, for screen readers. */
  text: string;
  /** A minimum level to compare with, from 0 to 1. Drawn only in a vessel. */
  mark?: number | null;
  /** A `tube` is horizontal below a figure. A `vessel` is beside a group of figures. */
  shape?: "tube" | "vessel";
  className?: string;
}

const ticks = [0, 0.25, 0.5, 0.75, 1];

/** A water level in a thin vessel with tick marks at the quarters. */
export function Gauge({ label, level, text, mark = null, shape = "tube", className }: GaugeProps) {
  const filled = level === null ? 0 : Math.min(1, Math.max(0, level));
  // A meter requires a value. Without a value it is an image of an empty vessel.
  const meter =
    level === null
      ? { role: "img", "aria-label": `${label}: ${text}` }
      : {
          role: "meter",
          "aria-label": label,
          "aria-valuemin": 0,
          "aria-valuemax": 100,
          "aria-valuenow": Math.round(filled * 100),
          "aria-valuetext": text,
        };
  if (shape === "tube") {
    return (
      <div {...meter} className={cx("w-full", className)}>
        <div
          className={cx(
            "h-2 overflow-hidden rounded-full border forced-color-adjust-none",
            level === null
              ? "border-dashed border-line-strong"
              : "border-line-strong/35 bg-line/70 forced-colors:bg-surface",
          )}
        >
          <div
            className="h-full rounded-full bg-accent transition-[width] duration-240"
            style={{ width: `${filled * 100}%` }}
          />
        </div>
        <div aria-hidden="true" className="mx-0.5 mt-0.5 flex justify-between">
          {ticks.map((tick) => (
            <span key={tick} className="h-1 w-px bg-line-strong/60 forced-color-adjust-none" />
          ))}
        </div>
      </div>
    );
  }
  const top = 8;
  const height = 104;
  const surface = top + height * (1 - filled);
  return (
    <div {...meter} className={cx("h-30 w-11 shrink-0", className)}>
      <svg viewBox="0 0 44 120" aria-hidden="true">
        <rect
          x="1"
          y={top - 4}
          width="26"
          height={height + 8}
          rx="8"
          className="fill-surface stroke-line-strong/60"
          strokeDasharray={level === null ? "3 3" : undefined}
        />
        {filled > 0 && (
          <>
            <rect x="3" y={surface} width="22" height={top + height + 2 - surface} rx="6" className="fill-accent/25" />
            <path d={`M4 ${surface + 1}q5 -2.5 10 0t10 0`} className="fill-none stroke-accent" strokeWidth="1.5" />
          </>
        )}
        {mark !== null && (
          <path
            d={`M1 ${top + height * (1 - mark)}h26`}
            className="fill-none stroke-caution"
            strokeWidth="2"
            strokeDasharray="4 2"
          />
        )}
        {ticks.map((tick) => (
          <line
            key={tick}
            x1="31"
            x2={tick % 0.5 === 0 ? 40 : 36}
            y1={top + height * (1 - tick)}
            y2={top + height * (1 - tick)}
            className="stroke-line-strong"
          />
        ))}
      </svg>
    </div>
  );
}
