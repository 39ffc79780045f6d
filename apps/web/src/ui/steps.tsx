import { Check } from "lucide-react";
import { cx } from "./class-names.ts";

interface StepsProps {
  /** Accessible name of the list. */
  label: string;
  steps: readonly string[];
  /** Index of the current step. The steps before it are done. */
  current: number;
}

/** Progress through a few steps: marks on a line that fills as steps are completed. */
export function Steps({ label, steps, current }: StepsProps) {
  return (
    <ol aria-label={label} className="flex max-w-[440px] gap-2">
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === current ? "step" : undefined}
          className={cx(
            "min-w-0 flex-1 border-t-2 pt-2 text-12 transition-colors wrap-anywhere",
            index <= current ? "border-accent" : "border-line",
            index === current ? "font-strong text-ink" : "text-muted",
          )}
        >
          {index < current ? (
            <Check aria-hidden="true" className="mr-1 inline size-3.5 text-accent" strokeWidth={2} />
          ) : (
            <span className="mr-1 font-mono">{index + 1}</span>
          )}
          {step}
        </li>
      ))}
    </ol>
  );
}
