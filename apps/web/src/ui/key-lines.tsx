import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./class-names.ts";
import { Term } from "./term.tsx";
import type { TermName } from "./term-name.ts";

export interface KeyLine {
  label: string;
  /** The glossary term that explains the label. */
  help?: TermName;
  value: ReactNode;
  /** The reason why a value is unknown, or what it depends on. */
  note?: ReactNode;
  /** A warning in words. The line is shown in amber with a sign. */
  caution?: string | undefined;
}

interface KeyLinesProps {
  /** Accessible name of the list. */
  label: string;
  /** Names the subject of the figures. */
  caption?: string | null;
  lines: readonly KeyLine[];
  /** A warning without a figure. */
  warning?: string | null;
}

const sign = <TriangleAlert aria-hidden="true" className="size-4 shrink-0 translate-y-0.5" strokeWidth={1.75} />;

/** The few figures that a decision depends on, one per line. */
export function KeyLines({ label, caption, lines, warning }: KeyLinesProps) {
  return (
    <div className="rounded-6 bg-ground px-3 py-2.5 text-14">
      {caption && <p className="mb-1 text-12 text-muted">{caption}</p>}
      <dl aria-label={label} className="flex flex-col gap-1">
        {lines.map(({ label: name, help, value, note, caution }) => (
          <div key={name} className={cx("flex items-baseline justify-between gap-x-3", caution && "text-caution")}>
            <dt className={cx("flex max-w-3/5 shrink-0 items-start gap-1.5", !caution && "text-muted")}>
              {caution && sign}
              <span>
                {caution && <span className="sr-only">{caution}: </span>}
                {help ? <Term name={help}>{name}</Term> : name}
              </span>
            </dt>
            <dd className="min-w-0 text-right font-strong">
              {value}
              {note && <span className="block text-12 font-normal">{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {warning && (
        <p className="mt-1.5 flex items-start gap-1.5 text-caution">
          {sign}
          {warning}
        </p>
      )}
    </div>
  );
}
