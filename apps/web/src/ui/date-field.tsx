import { useId } from "react";

interface DateFieldProps {
  label: string;
  /** A day such as "2026-11-20"; empty while no date is chosen. */
  value: string;
  onChange: (value: string) => void;
}

/** The browser's own date field with a label, as high as the select fields beside it. */
export function DateField({ label, value, onChange }: DateFieldProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-12 text-muted">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-11 w-full rounded-6 border border-line-strong/70 bg-surface px-3 text-14 transition-colors hover:border-accent"
      />
    </div>
  );
}
