import { type ReactNode, Suspense, useEffect } from "react";
import { useLocation, useParams } from "react-router";
import { Loading } from "../../ui/spinner.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { ClosedTo } from "../products/closed-to.tsx";
import { useProduct } from "../products/detail.ts";
import { ProductGate } from "../products/product-gate.tsx";
import { ProductHead } from "../products/product-head.tsx";
import { tabOf } from "../products/product-tab.ts";
import { forgetPanelRequest, requestPanel } from "../transact/form/use-panel-tab.ts";
import { ActionAside, ActionSheet, SkipToDeposit } from "./action.tsx";
import { Announced } from "./announced.tsx";
import { HeadFigures } from "./head-figures.tsx";

const useWide = () => useMedia("(width >= 1024px)");

// These are separate components because the width becomes known only after hydration begins. If the layout itself
// rendered again then, it would rerender the parts that are not hydrated yet.
function Wide({ children }: { children: ReactNode }) {
  return useWide() && children;
}

function Narrow({ children }: { children: ReactNode }) {
  return useWide() || children;
}

/** A product's head, tabs, notices for depositors and panel. They stay mounted while its pages and tabs change. */
export default function ProductLayout({ children }: { children: ReactNode }) {
  const { shortId = "" } = useParams();
  const location = useLocation();
  const product = useProduct(shortId);
  const { hash } = location;
  useEffect(() => {
    if (hash === "#deposit" || hash === "#withdraw") requestPanel(hash === "#deposit" ? "deposit" : "withdraw");
    return forgetPanelRequest;
  }, [hash]);
  if (product.isError && product.data === undefined) return <ProductGate shortId={shortId} product={product} />;

  return (
    <>
      {product.data && <SkipToDeposit product={product.data} />}
      <ProductHead shortId={shortId} product={product.data} current={tabOf(shortId, location)}>
        <HeadFigures key={shortId} product={product.data} />
      </ProductHead>
      <div className="page grid gap-x-10 gap-y-10 pt-6 lg:grid-cols-[minmax(0,1fr)_400px]">
        {/* The column is at least as high as the window, so that the scroll position stays the same while another tab
            loads. */}
        <div className="flex min-h-dvh min-w-0 flex-col gap-6">
          {product.data && (
            // Hidden if there is no notice, because an empty box would leave a gap.
            <div className="flex flex-col gap-3 empty:hidden">
              <Announced product={product.data} />
              <ClosedTo countries={product.data.closed_to} />
            </div>
          )}
          <Suspense fallback={<Loading />}>{children}</Suspense>
        </div>
        <Wide>
          <ActionAside product={product.data} />
        </Wide>
      </div>
      <Narrow>{product.data && <ActionSheet product={product.data} />}</Narrow>
    </>
  );
}
