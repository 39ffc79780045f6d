import type { ReactNode } from "react";
import { DepthLines } from "./depth-lines.tsx";

interface PageHeadProps {
  title: ReactNode;
  /** One sentence under the title. */
  lead?: ReactNode;
  /** A link back, above the title. */
  above?: ReactNode;
  children?: ReactNode;
  /** Seed of the depth lines. */
  seed: string;
  aside?: ReactNode;
}

/** The head of a page with depth lines in the background. */
export function PageHead({ title, lead, above, children, seed, aside }: PageHeadProps) {
  return (
    <div className="relative overflow-hidden border-b border-line">
      <DepthLines
        seed={seed}
        className="absolute inset-0 h-full w-full mask-[linear-gradient(to_left,black,transparent_75%)]"
      />
      <div className="page relative flex flex-wrap items-end justify-between gap-x-10 gap-y-6 pt-8 pb-8 md:pt-12 md:pb-10">
        <div className="min-w-0 max-w-[720px]">
          {above && <div className="mb-3 text-14">{above}</div>}
          <h1 className="text-28 md:text-44">{title}</h1>
          {lead && <p className="mt-3 max-w-[68ch] text-16 text-muted">{lead}</p>}
          {children}
        </div>
        {aside}
      </div>
    </div>
  );
}
