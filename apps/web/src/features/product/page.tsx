import type { ProductDetail } from "@aqua/sdk/api/product";
import { type ComponentType, lazy, Suspense } from "react";
import { useLocation, useParams } from "react-router";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useProduct } from "../products/detail.ts";
import { type ProductPart, partOf } from "../products/product-tab.ts";
import { Overview } from "./overview.tsx";

const withReadings = <Module,>(module: Promise<Module>) =>
  Promise.all([module, loadTexts("readings")]).then(([loaded]) => loaded);

type Part = ComponentType<{ product: ProductDetail }>;
const contents: Record<ProductPart, Part> = {
  overview: Overview,
  devices: lazy(() => withReadings(import("./devices-tab.tsx"))),
  evidence: lazy(() => import("./evidence-tab.tsx")),
  activity: lazy(() => import("./transactions.tsx")),
  contracts: lazy(() => import("./contracts.tsx")),
};

const skeleton = (
  <div aria-busy="true" className="flex flex-col gap-10">
    <Skeleton className="h-40 rounded-12" />
    <Skeleton className="h-100 rounded-12" />
  </div>
);

/** Shows the part of a product that the address names. Only the code and figures of that part are loaded. */
export default function ProductPage() {
  const { shortId = "" } = useParams();
  const part = partOf(useLocation());
  const product = useProduct(shortId).data;
  const title = part === "overview" ? product?.name : product && `${product.name}: ${t(`products.tab.${part}`)}`;
  usePageTitle(title, product?.summary);
  const Content = contents[part];
  return product ? (
    <Suspense fallback={skeleton}>
      <Content key={shortId} product={product} />
    </Suspense>
  ) : (
    skeleton
  );
}
