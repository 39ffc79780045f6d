import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

/** A line that opens what only some readers want to see, in place. */
export function Details({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className="group/details">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-1.5 text-14 font-strong text-muted hover:text-accent [&::-webkit-details-marker]:hidden">
        <ChevronDown
          aria-hidden="true"
          className="size-4 transition-transform group-open/details:rotate-180"
          strokeWidth={1.75}
        />
        {label}
      </summary>
      <div className="flex flex-col gap-3 pt-1 pb-2">{children}</div>
    </details>
  );
}
