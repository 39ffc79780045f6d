import { lazy, Suspense } from "react";

/** A dash without its reason is better than a page that fails for it. */
const UnknownReason = lazy(() =>
  import("./unknown-reason.tsx").then(
    (module) => ({ default: module.UnknownReason }),
    () => ({ default: () => <>—</> }),
  ),
);

/** A figure nobody knows: never 0, always with the reason, which screen readers read in its place. */
export function Unknown({ reason }: { reason: string }) {
  return (
    <Suspense fallback="—">
      <UnknownReason reason={reason} />
    </Suspense>
  );
}
