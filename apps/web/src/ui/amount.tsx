import { type AmountOptions, type Decimal, formatAmount } from "../i18n/format.ts";
import { AnimatedNumber } from "./animated-number.tsx";
import { cx } from "./class-names.ts";

interface AmountProps extends AmountOptions {
  value: Decimal | null | undefined;
  /** The unit: "tUSD". */
  unit?: string | null | undefined;
  /** Colours gains and losses; the sign says the same without colour. */
  tone?: "gain";
  /** Figures in tables and stamps are mono. */
  mono?: boolean;
  /** Runs to its new value when it changes. Give it a `key` of what it is a figure of. */
  live?: boolean;
  className?: string;
}

/** Characters a phone's column holds; a longer figure may break rather than leave the screen. */
const longest = 18;

/** A figure with its unit. The unit is lighter and does not break away from it. */
export function Amount({ value, unit, tone, mono = false, live = false, className, ...options }: AmountProps) {
  const colour =
    tone && value && !/^-?0*(\.0*)?$/.test(value) && (value.startsWith("-") ? "text-negative" : "text-positive");
  const format = (figure: Decimal | null | undefined) =>
    formatAmount(figure, { ...options, ...(tone ? { signed: true } : {}) });
  const text = format(value);
  return (
    <span
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
