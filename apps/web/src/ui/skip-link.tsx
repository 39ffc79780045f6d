import type { AnchorHTMLAttributes } from "react";

/** A skip link for keyboard users. It is visible only while focused. */
export function SkipLink(props: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a
      {...props}
      className="sr-only rounded-6 bg-accent px-4 py-3 font-strong text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
    />
  );
}
