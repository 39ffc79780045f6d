import type { Term } from "@aqua/sdk/maths/term";
import { formatUnits } from "@aqua/sdk/maths/units";
import { useId } from "react";
import { formatRate, formatTerm } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { cx } from "../../../ui/class-names.ts";

export interface TermOption {
  id: number;
  term: Term;
  /** Quoted APY, a fraction. */
  apy: string | null;
}

/** "90 days" in the reader's language. */
export function lengthOf({ count, unit }: Pick<Term, "count" | "unit">): string {
  return formatTerm({ value: count, unit });
}

/** A rate with 18 decimals as "6.00%". */
export function rateText(rate: bigint): string {
  return formatRate(formatUnits(rate, 18));
}

interface TermChoiceProps {
  label: string;
  options: readonly TermOption[];
  value: number | null;
  onChange: (id: number) => void;
  locked: boolean;
}

/** The available terms with their rates, as radio buttons. */
export function TermChoice({ label, options, value, onChange, locked }: TermChoiceProps) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-14 font-strong">{label}</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(88px,1fr))] gap-2">
        {options.map(({ id, term, apy }) => (
          <label
            key={id}
            className={cx(
              "relative flex cursor-pointer flex-col rounded-6 border px-3 py-2 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent",
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
            <span className="text-14">{lengthOf(term)}</span>
            <span className="text-16 font-strong">{rateText(term.rate)}</span>
            <span className="text-12 text-muted">{t("transact.term.apy", { apy: formatRate(apy) })}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
