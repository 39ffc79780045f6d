import type { ReactNode } from "react";

/** An empty state with a hint about the next step. */
export function Empty({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      <svg viewBox="0 0 96 40" aria-hidden="true" className="mb-2 w-24 text-accent" fill="none" stroke="currentColor">
        <path d="M4 14c14-9 26-9 44 0s30 9 44 0" strokeOpacity=".75" strokeWidth="1.5" />
        <path d="M12 23c12-7 22-7 36 0s24 7 36 0" strokeOpacity=".45" strokeWidth="1.5" />
        <path d="M24 31c8-4 14-4 24 0s16 4 24 0" strokeOpacity=".25" strokeWidth="1.5" />
      </svg>
      <p className="text-16 font-strong">{title}</p>
      {children && <div className="max-w-[52ch] text-14 text-muted">{children}</div>}
      {actions && <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
