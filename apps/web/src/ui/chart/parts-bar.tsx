export interface Part {
  key: string;
  name: string;
  /** A non-negative decimal string; null while unknown. */
  value: string | null;
  colour: 1 | 2 | 3 | 4 | 5 | 6;
}

interface PartsBarProps {
  /** Name of the whole, for screen readers. */
  label: string;
  parts: readonly Part[];
  /** Formats a value with its unit. */
  format: (value: string) => string;
}

/** Shows a whole and its parts as lengths of one bar. Each part is named below with its figure. */
export function PartsBar({ label, parts, format }: PartsBarProps) {
  // Lengths use floats; the figures beside them are exact.
  const sizes = parts.map((part) => Math.max(0, Number(part.value ?? 0)));
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  let from = 0;
  return (
    <figure aria-label={label} className="min-w-0">
      <svg width="100%" height="12" aria-hidden="true" className="rounded-full forced-color-adjust-none">
        <rect width="100%" height="12" className="fill-line" />
        {whole > 0 &&
          parts.map((part, index) => {
            const share = ((sizes[index] ?? 0) / whole) * 100;
            const x = from;
            from += share;
            return (
              <rect
                key={part.key}
                x={`${x}%`}
                width={`${share}%`}
                height="12"
                style={{ fill: `var(--series-${part.colour})` }}
                className="stroke-surface"
              />
            );
          })}
      </svg>
      <figcaption>
        <dl className="mt-3 flex flex-col gap-1.5 text-14">
          {parts.map((part) => (
            <div key={part.key} className="flex items-baseline justify-between gap-4">
              <dt className="flex min-w-0 items-baseline gap-2 text-muted">
                <span
                  aria-hidden="true"
                  className="size-2 shrink-0 rounded-full forced-color-adjust-none"
                  style={{ background: `var(--series-${part.colour})` }}
                />
                {part.name}
              </dt>
              <dd className="text-right font-mono wrap-anywhere">{part.value === null ? "—" : format(part.value)}</dd>
            </div>
          ))}
        </dl>
      </figcaption>
    </figure>
  );
}
