import { lazy, Suspense } from "react";
import { useParams } from "react-router";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { usePerformance } from "../products/performance.ts";
import { ProductFrame } from "../products/product-frame.tsx";
import { useRange } from "../products/range.ts";

const loadBody = () => Promise.all([import("./body.tsx"), loadTexts("performance")]).then(([module]) => module);
const Body = lazy(loadBody);
// Loads in parallel with the data. A failure is ignored here: rendering it retries and reports.
loadBody().catch(() => undefined);

const skeleton = (
  <>
    <Skeleton className="h-60 rounded-12" />
    <Skeleton className="h-[32rem] rounded-12" />
  </>
);

export default function PerformancePage() {
  const { shortId = "" } = useParams();
  const [range, setRange] = useRange();
  const answer = usePerformance(shortId, range);
  return (
    <ProductFrame
      shortId={shortId}
      pageTitle={(name) => `${name}: ${t("products.tab.performance")}`}
      answer={answer}
      failed={t("ui.error.title")}
      skeleton={skeleton}
    >
      {(performance, unit) => (
        <Suspense fallback={skeleton}>
          <Body
            performance={performance}
            unit={unit}
            range={range}
            onRange={setRange}
            busy={answer.isPlaceholderData}
          />
        </Suspense>
      )}
    </ProductFrame>
  );
}
