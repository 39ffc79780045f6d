import { lazy, Suspense } from "react";
import { loadTexts } from "../i18n/i18n.ts";
import type { TermName } from "./term-name.ts";

/** If the explanation cannot be loaded, the word appears without it instead of failing the page. */
const ExplainedTerm = lazy(() =>
  Promise.all([import("./explained-term.tsx"), loadTexts("glossary")]).then(
    ([module]) => ({ default: module.ExplainedTerm }),
    () => ({ default: ({ children }: { name: TermName; children: string }) => <>{children}</> }),
  ),
);

/** A word with its explanation on hover, focus and tap. The glossary of the About page has the same explanation. */
export function Term({ name, children }: { name: TermName; children: string }) {
  return (
    <Suspense fallback={children}>
      <ExplainedTerm name={name}>{children}</ExplainedTerm>
    </Suspense>
  );
}
