import { type ChangeEvent, type InputHTMLAttributes, type ReactNode, type Ref, useId } from "react";
import { cx } from "./class-names.ts";
import { useEarlyEntry } from "./use-early-entry.ts";

export interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** Shown beside the label, for example a balance with a "Max" button. */
  labelEnd?: ReactNode;
  hint?: ReactNode;
  error?: string | null | undefined;
  /** Inside the frame, before the text. */
  start?: ReactNode;
  /** Inside the frame, after the text: a unit, a button. */
  end?: ReactNode;
  hideLabel?: boolean;
  /** Large monospace figures, for amounts. */
  figures?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** A labelled input. Its accessible description contains hint and error. */
export function TextField(props: TextFieldProps) {
  const { label, labelEnd, hint, error, start, end, hideLabel, figures, className, id, ...input } = props;
  const generated = useId();
  const inputId = id ?? generated;
  useEarlyEntry<HTMLInputElement>(inputId, input.value, (field) =>
    input.onChange?.({ target: field, currentTarget: field } as ChangeEvent<HTMLInputElement>),
  );
  return (
    <div className={cx("min-w-0", className)}>
      <div
        className={cx(
          "mb-1.5 flex flex-wrap items-baseline justify-between gap-x-3",
          hideLabel && !labelEnd && "sr-only",
        )}
      >
        <label htmlFor={inputId} className={cx("text-14 font-strong", hideLabel && "sr-only")}>
          {label}
        </label>
        {labelEnd}
      </div>
      <div
        className={cx(
          "flex items-center gap-2 rounded-6 border bg-surface px-3 transition-colors has-[input:read-only]:bg-ground focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent",
          error ? "border-negative" : "border-line-strong/70 hover:border-accent",
          figures ? "h-14" : "h-11",
        )}
      >
        {start}
        <input
          {...input}
          id={inputId}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${inputId}-note` : undefined}
          className={cx(
            "h-full min-w-0 flex-1 bg-transparent outline-none placeholder:text-muted disabled:opacity-50",
            figures ? "font-mono text-20" : "text-16",
          )}
        />
        {end}
      </div>
      {(error || hint) && (
        <p
          id={`${inputId}-note`}
          role={error ? "alert" : undefined}
          className={cx("mt-1.5 text-14", error ? "text-negative" : "text-muted")}
        >
          {error || hint}
        </p>
      )}
    </div>
  );
}
