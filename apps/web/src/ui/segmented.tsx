import { useId, useState } from "react";
import { cx } from "./class-names.ts";

interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: { value: Value; label: string }[];
}

/** A few mutually exclusive choices as radio buttons in a row. */
export function Segmented<Value extends string>({ label, value, onChange, options }: SegmentedProps<Value>) {
  const name = useId();
  // A value stored in the address updates a moment after the click. The choice is shown at once.
  const [chosen, setChosen] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  if (lastValue !== value) {
    setLastValue(value);
    setChosen(value);
  }
  return (
    <fieldset className="inline-flex rounded-6 border border-line bg-surface p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            "relative grid h-8 cursor-pointer place-items-center rounded-6 px-3 text-12 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-accent",
            option.value === chosen ? "bg-accent/12 font-strong text-accent" : "text-muted hover:text-ink",
          )}
        >
          <input
            type="radio"
            name={name}
            checked={option.value === chosen}
            onChange={() => {
              setChosen(option.value);
              onChange(option.value);
            }}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
