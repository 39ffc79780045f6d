import { type ReactNode, useId } from "react";
import { cx } from "./class-names.ts";

interface SwitchProps {
  label: string;
  /** Explains under the label what the switch does. */
  note?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/**
 * An on/off setting that takes effect at once. The whole row can be pressed. The position of the knob also shows the
 * state.
 */
export function Switch({ label, note, checked, disabled = false, onChange }: SwitchProps) {
  const id = useId();
  return (
    <label
      className={cx(
        "flex min-h-11 items-center justify-between gap-4 rounded-6 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
        disabled ? "cursor-not-allowed opacity-60" : "cursor-pointer",
      )}
    >
      <span className="min-w-0">
        <span id={`${id}-label`} className="block text-14 font-strong">
          {label}
        </span>
        {note && (
          <span id={`${id}-note`} className="mt-0.5 block text-12 text-muted">
            {note}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        aria-labelledby={`${id}-label`}
        aria-describedby={note ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.checked)}
        className="sr-only"
      />
      <span
        aria-hidden="true"
        className={cx(
          "flex h-6 w-11 shrink-0 items-center rounded-full border p-0.5 transition-colors",
          checked ? "justify-end border-accent bg-accent" : "justify-start border-line-strong bg-surface",
        )}
      >
        <span
          className={cx("size-4.5 rounded-full", checked ? "bg-surface" : "border border-line-strong bg-surface")}
        />
      </span>
    </label>
  );
}
