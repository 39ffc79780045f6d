import { queryOptions, useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useParams } from "react-router";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { ProductFrame } from "../products/product-frame.tsx";
import { queryKeys } from "../query-keys.ts";

function liquidityOptions(shortId: string) {
  return queryOptions({
    queryKey: [...queryKeys.product(shortId), "liquidity"],
    queryFn: ({ signal }) => api.productLiquidity(shortId, signal),
    ...freshness.EAGER,
  });
}

/** Reads a product's liquidity: what can be withdrawn now, what waits, how long it takes, and their history. */
function useLiquidity(shortId: string) {
  return useQuery(liquidityOptions(shortId));
}

const loadBody = () => Promise.all([import("./body.tsx"), loadTexts("liquidity")]).then(([module]) => module);
const Body = lazy(loadBody);
// Loads in parallel with the data. A failure is ignored here: rendering it retries and reports.
loadBody().catch(() => undefined);

const skeleton = (
  <>
    <Skeleton className="h-28 rounded-12" />
    <Skeleton className="h-52 rounded-12" />
    <Skeleton className="h-52 rounded-12" />
    <Skeleton className="h-80 rounded-12" />
  </>
);

export default function LiquidityPage() {
  const { shortId = "" } = useParams();
  return (
    <ProductFrame
      shortId={shortId}
      pageTitle={(name) => `${name}: ${t("products.tab.liquidity")}`}
      answer={useLiquidity(shortId)}
      failed={t("ui.error.title")}
      skeleton={skeleton}
    >
      {(liquidity, unit) => (
        <Suspense fallback={skeleton}>
          <Body liquidity={liquidity} unit={unit} />
        </Suspense>
      )}
    </ProductFrame>
  );
}
