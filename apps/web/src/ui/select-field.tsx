import { type SelectHTMLAttributes, useId } from "react";
import { cx } from "./class-names.ts";
import { useEarlyEntry } from "./use-early-entry.ts";

interface SelectFieldProps<Value extends string>
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange" | "value"> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string }[];
  hint?: string | undefined;
  error?: string | null | undefined;
  /** Text has the size of form fields. Otherwise it is small, as for filters. */
  large?: boolean;
}

/** The browser's own select with a label. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, onChange, options, hint, error, large = false, ...select } = props;
  const id = useId();
  useEarlyEntry(id, select.value, (field) => onChange(field.value as Value));
  const note = error || hint;
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={large ? "mb-1.5 block text-14 font-strong" : "mb-1 block text-12 text-muted"}>
        {label}
      </label>
      <div className="relative">
        <select
          {...select}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          onChange={(event) => onChange(event.target.value as Value)}
          className={cx(
            "h-11 w-full appearance-none rounded-6 border bg-surface pr-9 pl-3 text-ellipsis transition-colors disabled:opacity-50",
            large ? "text-16" : "text-14",
            error ? "border-negative" : "border-line-strong/70 hover:border-accent",
          )}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <svg
          viewBox="0 0 12 12"
          aria-hidden="true"
          className="pointer-events-none absolute top-4 right-3 size-3 text-muted"
        >
          <path d="M2 4l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
        </svg>
      </div>
      {note && (
        <p
          id={`${id}-note`}
          role={error ? "alert" : undefined}
          className={cx("mt-1.5 text-14", error ? "text-negative" : "text-muted")}
        >
          {note}
        </p>
      )}
    </div>
  );
}
