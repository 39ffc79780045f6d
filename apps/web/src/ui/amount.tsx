import { type AmountOptions, type Decimal, formatAmount } from "../i18n/format.ts";
import { AnimatedNumber } from "./animated-number.tsx";
import { cx } from "./class-names.ts";

interface AmountProps extends AmountOptions {
  value: Decimal | null | undefined;
  /** The unit: "tUSD". */
  unit?: string | null | undefined;
  /** Colours gains and losses, unless they round to zero; the sign carries the same information. */
  tone?: "gain";
  /** Monospace, as for figures in tables and stamps. */
  mono?: boolean;
  /** Animates a change of the value. Requires a `key` that identifies the figure. */
  live?: boolean;
  className?: string;
}

/** Characters that fit a phone's column; a longer figure may wrap rather than overflow. */
const longest = 18;

/** A figure with its unit, which is lighter and stays on the same line. */
export function Amount({ value, unit, tone, mono = false, live = false, className, ...options }: AmountProps) {
  const format = (figure: Decimal | null | undefined) =>
    formatAmount(figure, { ...options, ...(tone ? { signed: true } : {}) });
  const text = format(value);
  // The displayed sign decides: a change that rounds to zero has no sign and no colour.
  const colour = tone && (/^[-−]/.test(text) ? "text-negative" : text.startsWith("+") && "text-positive");
  return (
    <span
      // A page translator would restore the figure that it has read after React changes it.
      translate="no"
      className={cx(
        text.length > longest ? "wrap-anywhere" : "whitespace-nowrap",
        mono && "font-mono",
        colour,
        className,
      )}
      title={value ? `${value}${unit ? ` ${unit}` : ""}` : undefined}
    >
      {live && value ? <AnimatedNumber value={value} format={format} /> : text}
      {unit && value !== null && value !== undefined && (
        <span className="ml-[0.3em] whitespace-nowrap text-[max(0.6em,0.6875rem)] leading-none font-normal text-muted">
          {unit}
        </span>
      )}
    </span>
  );
}
