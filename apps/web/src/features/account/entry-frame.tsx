import type { ReactNode } from "react";
import { DepthLines } from "../../ui/depth-lines.tsx";

interface EntryFrameProps {
  title: string;
  lead?: string;
  /** Shown beside the panel, under the lead. */
  aside?: ReactNode;
  children: ReactNode;
}

/** The frame of log-in and registration forms: the purpose on the left, the form in a panel. */
export function EntryFrame({ title, lead, aside, children }: EntryFrameProps) {
  return (
    <div className="relative overflow-hidden">
      <DepthLines
        seed="account"
        className="absolute inset-0 h-full w-full mask-[linear-gradient(to_right,black,transparent_65%)]"
      />
      <div className="page relative grid items-start gap-8 py-8 md:min-h-[64vh] md:py-16 lg:grid-cols-[minmax(0,1fr)_440px] lg:gap-16">
        <div className="min-w-0">
          <h1 className="text-28 md:text-44">{title}</h1>
          {lead && <p className="mt-3 max-w-[52ch] text-16 text-muted">{lead}</p>}
          {aside && <div className="mt-6">{aside}</div>}
        </div>
        <div className="panel w-full max-w-[520px] min-w-0 p-5 sm:p-7">{children}</div>
      </div>
    </div>
  );
}
