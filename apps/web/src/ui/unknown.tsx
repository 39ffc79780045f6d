import { lazy, Suspense } from "react";

/** If the code cannot be loaded, shows the dash without its reason instead of failing the page. */
const UnknownReason = lazy(() =>
  import("./unknown-reason.tsx").then(
    (module) => ({ default: module.UnknownReason }),
    () => ({ default: () => <>—</> }),
  ),
);

/** An unknown figure: never 0, always with the reason, which screen readers read instead. */
export function Unknown({ reason }: { reason: string }) {
  return (
    <Suspense fallback="—">
      <UnknownReason reason={reason} />
    </Suspense>
  );
}
