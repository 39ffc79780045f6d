import type { ProductDetail } from "@aqua/sdk/api/product";
import { lazy, Suspense, useEffect, useState } from "react";
import { formatRate, formatTerm } from "../../i18n/format.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { SkipLink } from "../../ui/skip-link.tsx";
import { ClosedTo } from "../products/closed-to.tsx";
import { depositAmount } from "../transact/form/deposit-amount.ts";
import { usePanelRequest } from "../transact/form/use-panel-tab.ts";
import { takesDeposits } from "./notices.ts";

const withTexts = <Module,>(module: Promise<Module>) =>
  Promise.all([module, loadTexts("transact", "reasons", "wallet")]).then(([loaded]) => loaded);
const ActionPanel = lazy(() => withTexts(import("../transact/demand/action-panel.tsx")));
const TimePanel = lazy(() => withTexts(import("../transact/term/time-panel.tsx")));

const placeholder = (
  <div className="panel p-5">
    <Skeleton className="h-12" />
    <Skeleton className="mt-5 h-14" />
    <Skeleton className="mt-5 h-40" />
    <Skeleton className="mt-5 h-13" />
  </div>
);

function Panel({ product }: { product: ProductDetail }) {
  return (
    <Suspense fallback={placeholder}>
      {product.type === "time_deposit" ? <TimePanel product={product} /> : <ActionPanel product={product} />}
    </Suspense>
  );
}

const place = "deposit";

/**
 * Focuses the deposit's amount field or, on a phone, the button that opens the sheet. The button stays at the end of
 * the page.
 */
function goToDeposit() {
  const target = document.getElementById(place);
  const amount = target?.querySelector<HTMLElement>(`#${depositAmount}`);
  // If another tab than Deposit is open, focuses that tab, from which one arrow key leads to Deposit.
  const tab = target?.querySelector<HTMLElement>("[role=tab][aria-selected=true]");
  (amount ?? tab ?? target)?.focus();
}

/** A skip link from the start of the page to the product's action. Renders nothing if the product takes no deposits. */
export function SkipToDeposit({ product }: { product: ProductDetail }) {
  if (!takesDeposits(product)) return null;
  return (
    <SkipLink
      href={`#${place}`}
      onClick={(event) => {
        event.preventDefault();
        goToDeposit();
      }}
    >
      {t("products.skipToDeposit")}
    </SkipLink>
  );
}

/**
 * The action panel beside the text on wide screens. It is sticky and extends up into the empty side of the head, so
 * that the whole panel is in view.
 */
export function ActionAside({ product }: { product: ProductDetail | undefined }) {
  return (
    <aside id={place} tabIndex={-1} aria-label={t("products.action")} className="relative z-10 -mt-44 min-w-0">
      {/* The panel ends inside the window, so that its sticky button is in view. It ends above AQUA MIND if the
          window is too narrow for both. */}
      <div className="sticky top-22 max-h-[calc(100dvh-var(--panel-top,88px)-80px)] scroll-pb-20 overflow-y-auto rounded-12 min-[1560px]:max-h-[calc(100dvh-var(--panel-top,88px)-16px)]">
        {product ? <Panel product={product} /> : placeholder}
      </div>
    </aside>
  );
}

/** The action on a phone: a bar at the bottom that opens the panel as a sheet. */
export function ActionSheet({ product }: { product: ProductDetail }) {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const request = usePanelRequest();
  useEffect(() => {
    if (!request) return;
    setOpen(true);
    setWanted(true);
  }, [request]);
  // For a time deposit, the bar shows the rate of the term that the panel starts with.
  const term = product.open_terms?.find(
    ({ value, unit }) => value === product.term?.value && unit === product.term.unit,
  );
  return (
    <>
      <div className="print:hidden sticky bottom-0 z-20 mt-10 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] shadow-float">
        <div className="page flex h-18 items-center justify-between gap-4">
          <p className="min-w-0">
            <span className="block text-12 text-muted">{term ? formatTerm(term) : t("products.apy")}</span>
            <span className="block text-20 font-strong">{formatRate(term?.rate ?? product.apy.value)}</span>
          </p>
          <Button
            id={place}
            onClick={() => {
              setOpen(true);
              setWanted(true);
            }}
            aria-haspopup="dialog"
          >
            {t(product.status === "open" ? "products.action.open" : "products.action.closed")}
          </Button>
        </div>
      </div>
      {wanted && (
        <Sheet kept open={open} onClose={() => setOpen(false)} title={product.name}>
          {/* The sheet covers the notice on the page, so the notice is repeated here. */}
          <div className="px-5 pt-5 empty:hidden">
            <ClosedTo countries={product.closed_to} />
          </div>
          <Panel product={product} />
        </Sheet>
      )}
    </>
  );
}
