import type { ReactNode } from "react";
import { Amount } from "../../../ui/amount.tsx";

export interface PreviewRow {
  label: string;
  value: ReactNode;
  /** Marks the row with the amount that the visitor receives. */
  strong?: boolean;
  /** Shown below the value, e.g. the time of a price. */
  note?: string;
}

/** The preview of an action, row by row. */
export function PreviewList({ label, rows }: { label: string; rows: readonly PreviewRow[] }) {
  return (
    <dl aria-label={label} className="flex flex-col gap-2 rounded-6 bg-ground p-4 text-14">
      {rows.map((row) => (
        <div key={row.label} className="flex items-baseline justify-between gap-4">
          <dt className="max-w-1/2 shrink-0 text-muted">{row.label}</dt>
          <dd className={row.strong ? "text-right text-16 font-strong" : "text-right"}>
            {row.value}
            {row.note && <span className="block text-12 font-normal text-muted">{row.note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A figure of a preview, with all digits of the asset. Shares are cut to a readable number of digits. */
export function Figure({ value, unit, digits = 6 }: { value: string | null; unit: string; digits?: number }) {
  return <Amount value={value} unit={unit} digits={digits} minDigits={2} />;
}
