import { type AmountOptions, type Decimal, formatAmount } from "../i18n/format.ts";
import { cx } from "./class-names.ts";

interface AmountProps extends AmountOptions {
  value: Decimal | null | undefined;
  /** The unit: "tUSD". */
  unit?: string | null | undefined;
  /** Colours gains and losses; the sign says the same without colour. */
  tone?: "gain";
  /** Figures in tables and stamps are mono. */
  mono?: boolean;
  className?: string;
}

/** A figure with its unit. The unit is lighter and never breaks away from the figure. */
export function Amount({ value, unit, tone, mono = false, className, ...options }: AmountProps) {
  const colour =
    tone && value && !/^-?0*(\.0*)?$/.test(value) && (value.startsWith("-") ? "text-negative" : "text-positive");
  return (
    <span
      className={cx("whitespace-nowrap", mono && "font-mono", colour, className)}
      title={value ? `${value}${unit ? ` ${unit}` : ""}` : undefined}
    >
      {formatAmount(value, { ...options, ...(tone ? { signed: true } : {}) })}
      {unit && value !== null && value !== undefined && (
        <span className="ml-[0.3em] text-[max(0.6em,0.6875rem)] leading-none font-normal text-muted">{unit}</span>
      )}
    </span>
  );
}
