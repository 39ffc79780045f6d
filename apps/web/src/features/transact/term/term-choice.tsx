import type { Term } from "@aqua/sdk/maths/term";
import type { Opening } from "@aqua/sdk/maths/term-orders";
import { formatUnits } from "@aqua/sdk/maths/units";
import { useId } from "react";
import { formatAmount, formatNearDate, formatRate, formatTerm } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { cx } from "../../../ui/class-names.ts";

export interface TermOption {
  id: number;
  term: Term;
  /** The interest and maturity of a deposit opened at `from`; Unix seconds, smallest units. */
  opening: Pick<Opening, "interest" | "maturity">;
  from: bigint;
}

/** "90 days" in the reader's language. */
export function lengthOf({ count, unit }: Pick<Term, "count" | "unit">): string {
  return formatTerm({ value: count, unit });
}

/** A rate with 18 decimals as "6.00%". */
export function rateText(rate: bigint): string {
  return formatRate(formatUnits(rate, 18));
}

/** The date of a maturity (Unix seconds) in its shortest form. */
export function dateText(maturity: bigint, from: bigint): string {
  return formatNearDate(Number(maturity) * 1_000, Number(from) * 1_000);
}

interface TermChoiceProps {
  label: string;
  options: readonly TermOption[];
  value: number | null;
  onChange: (id: number) => void;
  locked: boolean;
  asset: { symbol: string; decimals: number };
}

/** The available terms with rate, maturity and interest, as radio buttons. */
export function TermChoice({ label, options, value, onChange, locked, asset }: TermChoiceProps) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-14 font-strong">{label}</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(92px,1fr))] gap-2">
        {options.map(({ id, term, opening, from }) => (
          <label
            key={id}
            className={cx(
              "relative flex cursor-pointer flex-col rounded-6 border px-2 py-1.5 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent",
              id === value ? "border-accent bg-accent/8" : "border-line-strong/60 hover:border-accent",
            )}
          >
            <input
              type="radio"
              name={name}
              checked={id === value}
              disabled={locked}
              onChange={() => onChange(id)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <span className="text-14 whitespace-nowrap">{lengthOf(term)}</span>
            <span className="text-16 font-strong">{rateText(term.rate)}</span>
            <span className="text-12 text-muted">
              {t("transact.term.until", { date: dateText(opening.maturity, from) })}
            </span>
            <span className="text-12 text-muted">
              {formatAmount(formatUnits(opening.interest, asset.decimals), { signed: true, rounding: "down" })}{" "}
              {asset.symbol}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
