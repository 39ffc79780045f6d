import type { ReactNode } from "react";

/** A named group of samples. It is not a landmark, because side by side each group appears twice on the page. */
export function Sample({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section className="min-w-0 border-t border-line py-8">
      <h2 className="text-20">{title}</h2>
      {note && <p className="mt-1 max-w-[68ch] text-14 text-muted">{note}</p>}
      <div className="mt-5 flex min-w-0 flex-col gap-5">{children}</div>
    </section>
  );
}

export function Row({ children }: { children: ReactNode }) {
  return <div className="flex min-w-0 flex-wrap items-center gap-3">{children}</div>;
}
