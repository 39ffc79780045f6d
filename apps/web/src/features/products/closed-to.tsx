import type { ProductDetail } from "@aqua/sdk/api/product";
import { lazy, Suspense } from "react";
import { loadTexts } from "../../i18n/i18n.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

const Notice = lazy(() =>
  Promise.all([import("./closed-to-notice.tsx"), loadTexts("register")]).then(([module]) => module),
);

/** Names the countries to whose residents the product is not offered. Renders nothing if there are none. */
export function ClosedTo({ countries }: { countries: ProductDetail["closed_to"] }) {
  if (countries.length === 0) return null;
  return (
    <Suspense fallback={<Skeleton className="h-18 rounded-12" />}>
      <Notice countries={countries} />
    </Suspense>
  );
}
